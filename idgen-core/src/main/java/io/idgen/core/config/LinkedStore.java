package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.lease.LeaseStore;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A store of a module. If a library that the module needs is missing, or has a wrong version, the store is not
 * available and does not disturb others. A source that needs it is refused.
 */
final class LinkedStore implements LeaseStoreProvider {
    private final LeaseStoreProvider provider;

    LinkedStore(LeaseStoreProvider provider) {
        this.provider = provider;
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public List<Setting<?>> settings() {
        return provider.settings();
    }

    @Override
    public List<Class<?>> resources() {
        try {
            return provider.resources();
        } catch (LinkageError e) {
            return List.of(); // the application has no object of a class that does not exist
        }
    }

    /** Throws if the library is missing and a setting of the store is given: other processes may lease from it. */
    @Override
    public boolean isAvailable(SourceContext context) {
        try {
            return provider.isAvailable(context);
        } catch (LinkageError e) {
            if (provider.settings().stream().anyMatch(context::isGiven)) {
                throw refusal(e);
            }
            return false;
        }
    }

    @Override
    public void check(SourceContext context) {
        link(() -> {
            provider.check(context);
            return true;
        });
    }

    @Override
    public List<SourceTable> tables(SourceContext context) {
        return link(() -> provider.tables(context));
    }

    @Override
    public OptionalLong largestValue(SourceContext context, String column) {
        return link(() -> provider.largestValue(context, column));
    }

    @Override
    public LeaseStore open(SourceContext context) {
        return link(() -> provider.open(context));
    }

    @Override
    public LeaseStore open(SourceContext context, ExistingIds existing) {
        return link(() -> provider.open(context, existing));
    }

    private <T> T link(Supplier<T> call) {
        try {
            return call.get();
        } catch (LinkageError e) {
            throw refusal(e);
        }
    }

    private ConfigurationException refusal(LinkageError e) {
        return new ConfigurationException(
                ErrorCode.UNKNOWN_STRATEGY,
                "worker ids cannot be leased from " + name() + ": " + e + "; " + Modules.adviceFor(e)
                        + ", or remove the settings of " + name() + " if no process uses it",
                e);
    }
}
