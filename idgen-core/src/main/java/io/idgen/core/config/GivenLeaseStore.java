package io.idgen.core.config;

import io.idgen.core.lease.LeaseStore;

/** {@code lease-store}: the {@link LeaseStore} that the application passed in. */
final class GivenLeaseStore implements LeaseStoreProvider {
    @Override
    public String name() {
        return "lease-store";
    }

    @Override
    public boolean isAvailable(SourceContext context) {
        return context.resource(LeaseStore.class).isPresent();
    }

    @Override
    public LeaseStore open(SourceContext context) {
        return context.resource(LeaseStore.class)
                .orElseThrow(() -> context.refusal(
                        SnowflakeStrategy.ASSIGNER,
                        "lease-store leases from a LeaseStore of the application's own, and none was handed in; call"
                                + " IdSources.builder().resource(LeaseStore.class, store)"));
    }
}
