package io.idgen.examples.orders;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An order with an IDENTITY column, for comparison: the database generates the id with the insert. */
@Entity
@Table(name = "example_identity_orders")
class IdentityOrder extends OrderFields {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable
    Long id;

    @OneToMany(mappedBy = "order", cascade = CascadeType.PERSIST)
    List<IdentityOrderLine> lines = new ArrayList<>();
}
