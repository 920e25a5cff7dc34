package io.idgen.examples.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws a picture of the documentation from its description, in colours for light and dark pages. Each line of a
 * description is one of these:
 *
 * <pre>
 * size WIDTH HEIGHT
 * title TEXT                        what a screen reader reads
 * box X Y WIDTH HEIGHT CLASS TEXT   with the text in its middle; a bar begins the next line of text
 * text X Y CLASS TEXT
 * line CLASS X Y X Y ...
 * arrow CLASS X Y X Y ...           a line with a head at its end
 * </pre>
 *
 * A TEXT has its Chinese words after a tilde; without one, it is the same in both languages.
 */
final class Picture {
    private static final int LINE = 20;

    private static final String STYLE = """
              <style>
                :root { --card: #ffffff; --line: #d5dbe3; --ink: #1b2330; --soft: #5a6574; --one: #1d6fc4; --two: #b4561d;
                  --one-fill: #dcebfa; --two-fill: #fbe6d9; --off-fill: #eef1f4 }
                @media (prefers-color-scheme: dark) {
                  :root { --card: #171d24; --line: #3a444f; --ink: #e8ecf1; --soft: #a5b0bd; --one: #7db8f5; --two: #eda06c;
                    --one-fill: #1f3b57; --two-fill: #4d3120; --off-fill: #262d35 }
                }
                text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--ink); font-size: 15px }
                rect, path { stroke: var(--line) }
                path { fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
                .card { fill: var(--card) } .off { fill: var(--off-fill); stroke-dasharray: 4 4 }
                .one { fill: var(--one-fill); stroke: var(--one) } .two { fill: var(--two-fill); stroke: var(--two) }
                path.one, path.two { fill: none } path.soft { stroke: var(--soft) } path.dotted { stroke: var(--soft); stroke-dasharray: 2 5 }
                text.soft { fill: var(--soft) } text.one { fill: var(--one) } text.two { fill: var(--two) } text.head { font-weight: 600 }
                text.one, text.two { stroke: none } .middle { text-anchor: middle }
              </style>
            """;

    private static final String CHINESE = " ~ ";

    private final boolean chinese;
    private final StringBuilder elements = new StringBuilder();
    private String title = "";
    private int width;
    private int height;

    private Picture(boolean chinese) {
        this.chinese = chinese;
    }

    /**
     * Draws a picture.
     *
     * @param description the lines that describe it
     * @param chinese whether its words are Chinese, otherwise English
     * @return the SVG
     * @throws IllegalArgumentException if a line begins with another word
     */
    static String svg(String description, boolean chinese) {
        Picture picture = new Picture(chinese);
        description.lines().filter(line -> !line.isBlank()).forEach(picture::add);
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title"%s>
                  <title id="title">%s</title>
                %s  <rect class="card" x="1" y="1" width="%d" height="%d" rx="14"/>
                %s</svg>
                """.formatted(
                        picture.width,
                        picture.height,
                        chinese ? " lang=\"zh-CN\"" : "",
                        escaped(picture.title),
                        STYLE,
                        picture.width - 2,
                        picture.height - 2,
                        picture.elements);
    }

    private void add(String line) {
        String[] words = line.split(" +");
        switch (words[0]) {
            case "size" -> {
                width = Integer.parseInt(words[1]);
                height = Integer.parseInt(words[2]);
            }
            case "title" -> title = rest(line, 1);
            case "box" -> box(numbers(words, 1, 5), words[5], rest(line, 6));
            case "text" -> text(number(words[1]), number(words[2]), words[3], rest(line, 4));
            case "line" -> path(words[1], numbers(words, 2, words.length), false);
            case "arrow" -> path(words[1], numbers(words, 2, words.length), true);
            default -> throw new IllegalArgumentException("a line begins with a word of Picture, got: " + line);
        }
    }

    private void box(double[] at, String type, String text) {
        elements.append("  <rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"6\"/>\n"
                .formatted(type, rounded(at[0]), rounded(at[1]), rounded(at[2]), rounded(at[3])));
        String[] lines = text.isEmpty() ? new String[0] : text.split("\\|");
        for (int i = 0; i < lines.length; i++) {
            double middle = at[1] + at[3] / 2 + 5 + LINE * (i - (lines.length - 1) / 2.0);
            text(at[0] + at[2] / 2, middle, "middle", lines[i].strip());
        }
    }

    private void text(double x, double y, String type, String text) {
        elements.append("  <text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n"
                .formatted(type, rounded(x), rounded(y), escaped(text)));
    }

    private void path(String type, double[] points, boolean hasHead) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < points.length; i += 2) {
            path.append(i == 0 ? "M" : "L").append(point(points[i], points[i + 1]));
        }
        if (hasHead) {
            int end = points.length - 2;
            double angle = Math.atan2(points[end + 1] - points[end - 1], points[end] - points[end - 2]);
            path.append("M").append(tail(points, end, angle + 2.6));
            path.append("L").append(point(points[end], points[end + 1]));
            path.append("L").append(tail(points, end, angle - 2.6));
        }
        elements.append("  <path class=\"%s\" d=\"%s\"/>\n".formatted(type, path));
    }

    private static String tail(double[] points, int end, double angle) {
        return point(points[end] + 9 * Math.cos(angle), points[end + 1] + 9 * Math.sin(angle));
    }

    private static String point(double x, double y) {
        return rounded(x) + " " + rounded(y);
    }

    private static double[] numbers(String[] words, int from, int to) {
        List<Double> numbers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            numbers.add(number(words[i]));
        }
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double number(String word) {
        return Double.parseDouble(word);
    }

    /** Returns the text after so many words, in the language of the picture. */
    private String rest(String line, int words) {
        String[] parts = line.split(" +", words + 1);
        if (parts.length <= words) {
            return "";
        }
        String[] languages = parts[words].split(CHINESE, 2);
        return languages[chinese && languages.length > 1 ? 1 : 0];
    }

    private static String rounded(double number) {
        String text = String.format(Locale.ROOT, "%.1f", number);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
