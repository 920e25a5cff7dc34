package io.idgen.examples.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A line with an IDENTITY column: the database generates the id with the insert. */
@Entity
@Table(name = "example_identity_order_lines")
class IdentityOrderLine extends LineFields {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable
    Long id;

    @ManyToOne(optional = false)
    @JoinColumn(name = "order_id")
    @Nullable
    IdentityOrder order;
}
