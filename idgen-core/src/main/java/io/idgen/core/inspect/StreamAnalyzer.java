package io.idgen.core.inspect;

import io.idgen.core.layout.SnowflakeLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Measures streams of ids of one layout: load, saturation, order, duplicates, evenness. Ids may come in any order, as a table
 * or a log has them, and in any number: an analysis takes some megabytes, some tens with a short bucket, however many there are. Each analysis begins anew, on
 * the caller's thread; safe for many threads.
 */
public final class StreamAnalyzer {

    /** The most points of a load curve whose bucket was not chosen: {@value}. */
    public static final int MOST_POINTS = LoadGrid.POINTS;

    /** How many workers are measured each on its own: the first {@value} that are met. */
    public static final int MOST_WORKERS = 1024;

    private final SnowflakeLayout layout;
    private final InstantSource clock;
    private final Duration bucket;
    private final boolean widens;

    /**
     * An analyzer that finds the load curve's bucket itself: one tick, doubled until the curve has at most
     * {@value #MOST_POINTS} points.
     *
     * @param layout of all ids
     * @param clock tells now, beyond which by a day ids are not believed
     */
    public StreamAnalyzer(SnowflakeLayout layout, InstantSource clock) {
        this(layout, clock, layout.tick(), true);
    }

    /**
     * An analyzer with the caller's bucket, counted from 1970-01-01T00:00Z: hours begin at the hour. Curves that are too long
     * for it, over all workers {@value LoadGrid#MOST_CELLS} points, are refused by the analysis.
     *
     * @param layout of all ids
     * @param clock tells now, beyond which by a day ids are not believed
     * @param bucket how much time is one point of the load curve, in whole milliseconds
     * @throws IllegalArgumentException if the bucket is shorter than a tick of the layout or not in whole milliseconds
     */
    public StreamAnalyzer(SnowflakeLayout layout, InstantSource clock, Duration bucket) {
        this(layout, clock, bucket, false);
        if (bucket.compareTo(layout.tick()) < 0 || bucket.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException("a bucket is in whole milliseconds and at least one tick, "
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
     * Measures the ids of an iterator.
     *
     * @param ids read to the end
     * @return the measurements
     * @throws IllegalArgumentException if the chosen bucket makes curves too long
     */
    public StreamAnalysis analyze(PrimitiveIterator.OfLong ids) {
        Tally tally = tally();
        ids.forEachRemaining((LongConsumer) tally::add);
        return tally.result();
    }

    /**
     * Measures the ids of a stream, in its order also if it is a parallel one.
     *
     * @param ids consumed, and not closed
     * @return the measurements
     * @throws IllegalArgumentException if the chosen bucket makes curves too long
     */
    public StreamAnalysis analyze(LongStream ids) {
        Tally tally = tally();
        ids.sequential().forEachOrdered(tally::add);
        return tally.result();
    }

    /**
     * Measures the ids of a file: one decimal number to a line, blank lines between them allowed.
     *
     * @param file read once from the beginning to the end
     * @return the measurements
     * @throws IOException if the file cannot be read; names it, and the line that was reached
     * @throws IllegalArgumentException if a line is no number of 64 bits or longer than 1,000 characters; names file and line; or if the chosen bucket makes
     *     curves too long
     */
    public StreamAnalysis analyze(Path file) throws IOException {
        Tally tally = tally();
        IdFile.forEach(file, tally::add);
        return tally.result();
    }

    /**
     * Measures the ids of what has lines but is no file, such as standard input: one decimal number to a line, blank lines
     * between them allowed.
     *
     * @param lines read to the end, and not closed
     * @param name what an error calls it
     * @return the measurements
     * @throws IOException if it cannot be read; names it, and the line that was reached
     * @throws IllegalArgumentException if a line is no number of 64 bits or longer than 1,000 characters; names it and the line; or if the chosen bucket makes
     *     curves too long
     */
    public StreamAnalysis analyze(BufferedReader lines, String name) throws IOException {
        Tally tally = tally();
        IdFile.forEach(lines, name, tally::add);
        return tally.result();
    }

    private Tally tally() {
        return new Tally(layout, IdInspector.lastPlausibleTick(layout, clock), new LoadGrid(bucket, widens));
    }
}
