package io.idgen.text;

import io.idgen.core.internal.time.Durations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Draws the fields below an id's 64 binary digits: a brace under each field, and from its middle a stem down to the
 * field's name, width and value.
 *
 * <pre>
 * 0000001100100010100110100001100100100100000001000101000000000000
 * |`-------------------+-------------------'`-+-'`-+-'`----+-----'
 * |                    |                      |    |       `- sequence, 12 bits: 0
 * |                    |                      |    `- worker, 5 bits: 5
 * |                    |                      `- datacenter, 5 bits: 2
 * |                    `- time, 41 bits: 53861704848 ticks of 1 ms since 2016-01-01T00:00:00Z
 * `- sign, 1 bit: 0
 * </pre>
 *
 * <p>The drawing is ASCII, because a container without a locale prints box-drawing characters as question marks.
 */
final class BitDrawing {
    private BitDrawing() {}

    static String of(InspectedId inspected) {
        List<BitField> fields = Fields.of(inspected.layout()).fromTheTop();
        StringBuilder braces = new StringBuilder();
        List<Integer> stems = new ArrayList<>();
        for (BitField field : fields) {
            int middle = (field.width() - 1) / 2;
            stems.add(braces.length() + middle);
            braces.append(brace(field.width(), middle));
        }
        StringBuilder drawing = new StringBuilder(braces);
        // from right to left, so that no label crosses a stem
        for (int i = fields.size() - 1; i >= 0; i--) {
            drawing.append('\n').append(stems(stems.subList(0, i + 1))).append("- ");
            drawing.append(label(fields.get(i), inspected));
        }
        return drawing.toString();
    }

    private static String brace(int width, int middle) {
        char[] brace = new char[width];
        Arrays.fill(brace, '-');
        brace[0] = '`';
        brace[width - 1] = '\'';
        brace[middle] = width == 1 ? '|' : '+';
        return new String(brace);
    }

    /** Draws all stems; the last one turns towards its label. */
    private static String stems(List<Integer> columns) {
        int turn = columns.get(columns.size() - 1);
        char[] line = new char[turn + 1];
        Arrays.fill(line, ' ');
        columns.forEach(column -> line[column] = '|');
        line[turn] = '`';
        return new String(line);
    }

    private static String label(BitField field, InspectedId inspected) {
        String text = field.name() + ", " + field.width() + (field.width() == 1 ? " bit: " : " bits: ")
                + field.of(inspected.id());
        return field.name().equals("time")
                ? text + " ticks of " + Durations.text(inspected.layout().tick()) + " since "
                        + inspected.layout().epoch()
                : text;
    }
}
