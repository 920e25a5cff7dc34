package io.idgen.examples.orders;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Draws README's picture: one order with its lines on the way to the database, with {@code @SnowflakeId} and with
 * IDENTITY. Each arrow is a round trip that the example has counted.
 *
 * @param lines the number of lines of the order
 * @param batches the number of batches with {@code @SnowflakeId}
 * @param statements the number of statements with IDENTITY
 */
record PersistPicture(int lines, int batches, int statements) {
    private static final String FRAME = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 466" role="img" aria-labelledby="title description">
              <title id="title">%1$s with @SnowflakeId, %2$s with IDENTITY</title>
              <desc id="description">An order with its %3$d lines. With @SnowflakeId, persist() sets %4$d ids without SQL, and the commit
                sends %1$s: one with the order, one with the lines. With IDENTITY, each persist() sends an INSERT
                and waits for its id: %2$s, one after the other.</desc>
              <style>
                :root { --card: #ffffff; --line: #d5dbe3; --ink: #1b2330; --soft: #5a6574; --good: #1d6fc4; --bad: #b4561d; --id: #dcebfa }
                @media (prefers-color-scheme: dark) {
                  :root { --card: #171d24; --line: #3a444f; --ink: #e8ecf1; --soft: #a5b0bd; --good: #7db8f5; --bad: #eda06c; --id: #1f3b57 }
                }
                text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--ink); font-size: 18px }
                .card { fill: var(--card); stroke: var(--line) }
                .name, .code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
                .name { font-size: 19px; font-weight: 600 }
                .count { font-size: 27px; font-weight: 700; text-anchor: end }
                .side { fill: var(--soft); text-anchor: middle }
                .life { stroke: var(--line); stroke-width: 2 }
                .note { fill: var(--soft) }
                .id { fill: var(--id); stroke: var(--good) }
                .good { fill: var(--good) } .bad { fill: var(--bad) }
                .send, .answer { fill: none; stroke-linecap: round; stroke-linejoin: round }
                .send { stroke: var(--good); stroke-width: 6 }
                .bad.send { stroke: var(--bad); stroke-width: 2.5; fill: none }
                .bad.answer { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 1 5; fill: none }
              </style>
            %5$s%6$s</svg>
            """;
    private static final String CARD = """
              <g transform="translate(%1$d 1)">
                <rect class="card" x="1" width="388" height="464" rx="14"/>
                <text class="name" x="24" y="42">%2$s</text>
                <text class="count %3$s" x="366" y="44">%4$s</text>
                <text class="note" x="24" y="76">%5$s</text>
                <text class="side" x="60" y="114">JVM</text>
                <text class="side" x="330" y="114">database</text>
                <path class="life" d="M60 126V446M330 126V446"/>
            %6$s  </g>
            """;

    PersistPicture {
        if (batches != 2) {
            throw new IllegalArgumentException(
                    "the picture has one batch for the order and one for its lines, got " + batches);
        }
    }

    String svg() {
        int ids = 1 + lines;
        String trips = batches + " batches";
        String inserts = statements + " statements";
        String left = CARD.formatted(
                1, "@SnowflakeId", "good", trips, "ids first, INSERTs at the commit", persist(ids) + commit());
        String right = CARD.formatted(409, "IDENTITY", "bad", inserts, "each id needs an INSERT of its own", inserts());
        return FRAME.formatted(trips, inserts, lines, ids, left, right);
    }

    private String persist(int ids) {
        String boxes = IntStream.range(0, ids)
                .mapToObj(id -> "<rect class=\"id\" x=\"%d\" y=\"176\" width=\"%d\" height=\"20\" rx=\"4\"/>"
                        .formatted(id == 0 ? 80 : 90 + 19 * id, id == 0 ? 24 : 14))
                .collect(Collectors.joining());
        return """
                    <text class="code" x="80" y="162">persist()</text>
                    <g>%s</g>
                    <text class="note" x="80" y="222">%d ids, no SQL</text>
                """.formatted(boxes, ids);
    }

    private String commit() {
        return """
                    <text class="code" x="80" y="286">commit</text>
                    <path class="send" d="M68 330H316m-11-9 11 9-11 9"/>
                    <text class="note" x="80" y="316">INSERT 1 order</text>
                    <path class="send" d="M68 396H316m-11-9 11 9-11 9"/>
                    <text class="note" x="80" y="382">INSERT %d lines</text>
                """.formatted(lines);
    }

    private String inserts() {
        int step = 310 / statements;
        return IntStream.range(0, statements)
                .mapToObj(insert -> {
                    int y = 134 + step * insert;
                    return """
                                <path class="bad send" d="M64 %dL324 %dm-8-5 8 5-8 3"/><path class="bad answer" d="M324 %dL66 %d"/>
                            """.formatted(y, y + step / 2 - 2, y + step / 2 + 1, y + step - 3);
                })
                .collect(Collectors.joining());
    }
}
