package io.idgen.benchmarks;

/** Runs the benchmarks and prints their tables. */
public final class Benchmarks {

    private Benchmarks() {}

    /**
     * Runs what is asked for.
     *
     * @param args the name of a table
     */
    public static void main(String[] args) {
        throw new IllegalArgumentException("no table is there yet");
    }
}
