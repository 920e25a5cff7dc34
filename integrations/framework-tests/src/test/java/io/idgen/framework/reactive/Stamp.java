package io.idgen.framework.reactive;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.io.Serializable;
import java.util.Objects;

/** An entity whose composite id has a generated part. */
@Entity
public class Stamp {
    @EmbeddedId
    Key key = new Key();

    /** The id: the number, and the country that the application sets. */
    @Embeddable
    public static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId
        Long number;

        long country;

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Objects.equals(number, key.number) && country == key.country;
        }

        @Override
        public int hashCode() {
            return Objects.hash(number, country);
        }
    }
}
