package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CursorTest {
    @Test
    void aCursorWithoutIdsHasNoneToGive() {
        Cursor cursor = Cursor.empty();

        assertThat(cursor.take(1)).isEqualTo(Cursor.USED_UP);
        assertThat(cursor.left()).isZero();
        assertThat(cursor.given()).isZero();
        assertThat(cursor.seal()).isEmpty();
    }

    @Test
    void aSealedCursorKeepsTheNumberOfIdsThatItGave() {
        Cursor cursor = new Cursor(new Segment(1, 10, 1), 0, 100);
        cursor.take(4);

        assertThat(cursor.seal()).contains(new Segment(5, 6, 1));
        assertThat(cursor.take(1)).isEqualTo(Cursor.USED_UP);
        assertThat(cursor.seal()).isEmpty();
        assertThat(cursor.given()).isEqualTo(104);
    }
}
