package io.idgen.framework.tenants;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.TenantId;

/** A row of a tenant. */
@Entity
public class Ticket {
    @Id
    @SnowflakeId
    Long id;

    @TenantId
    String tenant;
}
