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
 * @param chinese whether the words are Chinese, otherwise English
 */
record PersistPicture(int lines, int batches, int statements, boolean chinese) {
    private static final String FRAME = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 466" role="img" aria-labelledby="title description"%1$s>
              <title id="title">%2$s</title>
              <desc id="description">%3$s</desc>
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
            %4$s%5$s</svg>
            """;
    private static final String DESCRIPTION = """
            An order with its %1$d lines. With @SnowflakeId, persist() sets %2$d ids without SQL, and the commit
                sends %3$s: one with the order, one with the lines. With IDENTITY, each persist() sends an INSERT
                and waits for its id: %4$s, one after the other.""";
    private static final String CHINESE_DESCRIPTION = """
            一个订单加 %1$d 条明细。使用 @SnowflakeId 时，persist() 赋好 %2$d 个 ID，不发 SQL；提交时发 %3$s：
                一个是订单，一个是明细。使用 IDENTITY 时，每次 persist() 都发一条 INSERT 并等待它的 ID：%4$s，逐条执行。""";
    private static final String CARD = """
              <g transform="translate(%1$d 1)">
                <rect class="card" x="1" width="388" height="464" rx="14"/>
                <text class="name" x="24" y="42">%2$s</text>
                <text class="count %3$s" x="366" y="44">%4$s</text>
                <text class="note" x="24" y="76">%5$s</text>
                <text class="side" x="60" y="114">JVM</text>
                <text class="side" x="330" y="114">%6$s</text>
                <path class="life" d="M60 126V446M330 126V446"/>
            %7$s  </g>
            """;

    PersistPicture {
        if (batches != 2) {
            throw new IllegalArgumentException(
                    "the picture has one batch for the order and one for its lines, got " + batches);
        }
    }

    String svg() {
        int ids = 1 + lines;
        String trips = batches + words(" batches", " 个批次");
        String inserts = statements + words(" statements", " 条语句");
        String title = words("%s with @SnowflakeId, %s with IDENTITY", "@SnowflakeId：%s；IDENTITY：%s");
        String description = words(DESCRIPTION, CHINESE_DESCRIPTION);
        return FRAME.formatted(
                words("", " lang=\"zh-CN\""),
                title.formatted(trips, inserts),
                description.formatted(lines, ids, trips, inserts),
                card(1, "@SnowflakeId", "good", trips, idsFirst(), persist(ids) + commit()),
                card(409, "IDENTITY", "bad", inserts, idsLast(), inserts()));
    }

    private String words(String english, String chinese) {
        return this.chinese ? chinese : english;
    }

    private String idsFirst() {
        return words("ids first, INSERTs at the commit", "先有 ID，提交时才 INSERT");
    }

    private String idsLast() {
        return words("each id needs an INSERT of its own", "每个 ID 都要一条单独的 INSERT");
    }

    private String card(int x, String name, String type, String count, String note, String content) {
        return CARD.formatted(x, name, type, count, note, words("database", "数据库"), content);
    }

    private String persist(int ids) {
        String boxes = IntStream.range(0, ids)
                .mapToObj(id -> "<rect class=\"id\" x=\"%d\" y=\"176\" width=\"%d\" height=\"20\" rx=\"4\"/>"
                        .formatted(id == 0 ? 80 : 90 + 19 * id, id == 0 ? 24 : 14))
                .collect(Collectors.joining());
        return """
                    <text class="code" x="80" y="162">persist()</text>
                    <g>%s</g>
                    <text class="note" x="80" y="222">%s</text>
                """.formatted(boxes, words("%d ids, no SQL", "%d 个 ID，不发 SQL").formatted(ids));
    }

    private String commit() {
        return """
                    <text class="code" x="80" y="286">commit</text>
                    <path class="send" d="M68 330H316m-11-9 11 9-11 9"/>
                    <text class="note" x="80" y="316">INSERT %s</text>
                    <path class="send" d="M68 396H316m-11-9 11 9-11 9"/>
                    <text class="note" x="80" y="382">INSERT %d %s</text>
                """.formatted(words("1 order", "1 个订单"), lines, words("lines", "条明细"));
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
