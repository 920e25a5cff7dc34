package io.idgen.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A source of segments at one moment.
 *
 * @param name the name of the ids
 * @param given how many ids callers got since the source was opened, those in blocks of threads included; only rises
 * @param current how many ids are left in the segment in use
 * @param spare how many ids are in the segment in reserve; 0 if it is being fetched
 * @param step how many ids the last refill asked for; 0 before the first
 * @param refills how many segments were fetched since the source was opened
 * @param refillTime how long these refills took together, without failed attempts; only rises
 * @param hasIds as {@link SourceSnapshot#hasIds} says
 * @param ended as {@link SourceSnapshot#ended} says
 * @param refused as {@link SourceSnapshot#refused} says
 * @param waits as {@link SourceSnapshot#waits} says
 * @param outage as {@link SourceSnapshot#outage} says
 * @param failures as {@link SourceSnapshot#failures} says
 */
public record SegmentSnapshot(
        String name,
        long given,
        long current,
        long spare,
        int step,
        long refills,
        Duration refillTime,
        boolean hasIds,
        @Nullable ErrorCode ended,
        @Nullable ErrorCode refused,
        Waits waits,
        @Nullable Outage outage,
        long failures)
        implements SourceSnapshot {}
