package io.idgen.cli.analysis;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.IdInspector;
import io.idgen.text.Spans;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Analyses streams of ids of one layout: load, saturation, order, duplicates, evenness. Ids may come in any order and
 * any number. An analysis needs a few megabytes, or some tens with a short bucket, however many ids there are. Each
 * analysis is independent and runs on the caller's thread. Safe for many threads.
 */
public final class StreamAnalyzer {

    /** The largest number of points of a load curve whose bucket is chosen automatically: {@value}. */
    public static final int MOST_POINTS = LoadGrid.POINTS;

    /** How many workers are analysed separately: the first {@value} in the stream. */
    public static final int MOST_WORKERS = 1024;

    private final SnowflakeLayout layout;
    private final InstantSource clock;
    private final Duration bucket;
    private final boolean widens;

    /**
     * Creates an analyzer that chooses the bucket of the load curve itself: one tick, doubled until the curve has at
     * most {@value #MOST_POINTS} points.
     *
     * @param layout the layout of all ids
     * @param clock the current time; ids more than a day later are not plausible
     */
    public StreamAnalyzer(SnowflakeLayout layout, InstantSource clock) {
        this(layout, clock, layout.tick(), true);
    }

    /**
     * Creates an analyzer with a fixed bucket, counted from 1970-01-01T00:00Z, so that buckets of an hour begin on the
     * hour. An analysis fails if its curves exceed {@value LoadGrid#MOST_CELLS} points over all workers.
     *
     * @param layout the layout of all ids
     * @param clock the current time; ids more than a day later are not plausible
     * @param bucket the duration of one point of the load curve, in whole milliseconds, at least one tick
     * @throws IllegalArgumentException if the bucket is shorter than a tick of the layout or not in whole milliseconds
     */
    public StreamAnalyzer(SnowflakeLayout layout, InstantSource clock, Duration bucket) {
        this(layout, clock, bucket, false);
        if (bucket.compareTo(layout.tick()) < 0 || bucket.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException("a bucket must be in whole milliseconds and at least one tick, "
                    + Spans.text(layout.tick()) + " in layout " + layout + ", got " + bucket);
        }
    }

    private StreamAnalyzer(SnowflakeLayout layout, InstantSource clock, Duration bucket, boolean widens) {
        this.layout = layout;
        this.clock = Objects.requireNonNull(clock, "clock");
        this.bucket = bucket;
        this.widens = widens;
    }

    /**
     * Analyses the ids of a stream, in its order, even if it is a parallel stream.
     *
     * @param ids read to the end, but not closed
     * @return the analysis
     * @throws IllegalArgumentException if the fixed bucket makes the curves too long
     */
    public StreamAnalysis analyze(LongStream ids) {
        Tally tally = tally();
        ids.sequential().forEachOrdered(tally::add);
        return tally.result();
    }

    /**
     * Analyses the ids of a file: one decimal number per line; blank lines are ignored.
     *
     * @param file read once from beginning to end
     * @return the analysis
     * @throws IOException if the file cannot be read; the message names the file and the line that was reached
     * @throws IllegalArgumentException if a line is not a 64-bit number or is longer than 1,000 characters; the message
     *     names file and line. Also if the fixed bucket makes the curves too long
     */
    public StreamAnalysis analyze(Path file) throws IOException {
        Tally tally = tally();
        IdFile.forEach(file, tally::add);
        return tally.result();
    }

    /**
     * Analyses the ids of a reader, for example of standard input: one decimal number per line; blank lines are
     * ignored. The caller decides on lines that are not ids, such as a header.
     *
     * @param lines read to the end, but not closed
     * @param name the name of the input, for error messages
     * @param badLine called on this thread with the refusal of each line that is not a 64-bit number or is longer than
     *     1,000 characters; its message names input and line. If it returns, the line is skipped. What it throws ends
     *     the analysis
     * @return the analysis of all other lines
     * @throws IOException if the input cannot be read; the message names the input and the line that was reached
     * @throws IllegalArgumentException if the fixed bucket makes the curves too long
     */
    public StreamAnalysis analyze(BufferedReader lines, String name, Consumer<IllegalArgumentException> badLine)
            throws IOException {
        Tally tally = tally();
        IdFile.forEach(lines, name, tally::add, badLine);
        return tally.result();
    }

    private Tally tally() {
        return new Tally(layout, IdInspector.lastPlausibleTick(layout, clock), new LoadGrid(bucket, widens));
    }
}
