package io.idgen.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AssignedIdCallbackTest {
    private static final class Order extends AssignedIdEntity {
        Order() {}

        Order(long id) {
            super(id);
        }
    }

    @Test
    void anEntityIsNewUntilItIsSaved() {
        Order order = new Order(1);
        assertThat(order.getId()).isOne();
        assertThat(order.isNew()).isTrue();

        assertThat(new AssignedIdCallback().onAfterSave(order)).isSameAs(order);

        assertThat(order.isNew()).isFalse();
    }

    @Test
    void anEntityThatIsLoadedIsNotNew() {
        assertThat(new Order().isNew()).isFalse();
    }

    @Test
    void anIdBelowOneIsRefused() {
        assertThatThrownBy(() -> new Order(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
