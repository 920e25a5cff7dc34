package io.idgen.framework.reactive;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

/** An entity that keeps an id that is set, and that is inserted together with others. */
@Entity
public class Parcel {
    @Id
    @SnowflakeId(preset = SnowflakeId.Preset.KEEP)
    Long id;

    @OneToMany(cascade = CascadeType.ALL)
    List<Letter> letters = new ArrayList<>();
}
