package io.idgen.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;

@Entity
@Table(name = "parents")
class Parent {
    @Id
    @SnowflakeId
    long id;

    @OneToMany(mappedBy = "parent", cascade = CascadeType.PERSIST)
    List<Child> children = new ArrayList<>();

    Parent() {}

    Parent(int childCount) {
        for (int i = 0; i < childCount; i++) {
            Child child = new Child();
            child.parent = this;
            children.add(child);
        }
    }
}
