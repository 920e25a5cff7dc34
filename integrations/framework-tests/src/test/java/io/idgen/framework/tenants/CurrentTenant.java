package io.idgen.framework.tenants;

import org.hibernate.context.spi.CurrentTenantIdentifierResolver;

/** The tenant of this thread. */
public final class CurrentTenant implements CurrentTenantIdentifierResolver<String> {
    static final ThreadLocal<String> NAME = ThreadLocal.withInitial(() -> "none");

    @Override
    public String resolveCurrentTenantIdentifier() {
        return NAME.get();
    }

    @Override
    public boolean validateExistingCurrentSessions() {
        return false;
    }
}
