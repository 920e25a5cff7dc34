package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.database.Phase;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.KeyFamily;
import io.idgen.core.IdSource;
import io.idgen.core.IdgenListener;
import io.idgen.core.config.IdSources;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A strategy of idgen or of the user, opened with settings as in an application.
 *
 * @param ownsSequence whether it fetches its ids from a sequence, which the database must support
 * @param source returns the source's name for an opening; instances share a name, as the processes of an application do
 * @param settings returns the settings for an opening
 */
public record IdgenContender(
        String name,
        KeyFamily family,
        String what,
        boolean ownsSequence,
        Function<Opening, String> source,
        Function<Opening, Map<String, String>> settings)
        implements Contender {
    /** The increment of the sequences: Hibernate's default. */
    public static final int INCREMENT = 50;

    /** A strategy without a sequence, whose instances share a name. */
    IdgenContender(String name, KeyFamily family, String what, Function<Opening, Map<String, String>> settings) {
        this(name, family, what, false, opening -> opening.phase().source(), settings);
    }

    @Override
    public String unfitFor(Product product) {
        return ownsSequence && !product.hasSequences() ? product + " has no sequences" : "";
    }

    @Override
    public Map<String, String> tables(String prefix, Phase phase, Product product) {
        return ownsSequence
                ? Map.of(
                        "SEQUENCE " + sequence(prefix, phase),
                        " START WITH " + INCREMENT + " INCREMENT BY " + INCREMENT)
                : Map.of();
    }

    /** Returns the name of the sequence of a phase. */
    static String sequence(String prefix, Phase phase) {
        return prefix + phase.source() + "_seq";
    }

    @Override
    public Keys open(Opening opening) {
        Map<String, String> own = settings.apply(opening);
        String name = source.apply(opening);
        IdSources.Builder builder = IdSources.builder()
                .resource(DataSource.class, opening.pool().dataSource())
                .resource(IdgenListener.class, opening.listener())
                .source(name);
        Map<String, String> all = new HashMap<>(own);
        all.putAll(opening.pool().settings());
        all.forEach(builder::set);
        IdSources sources = builder.build();
        try {
            return new FromSource(sources, sources.get(name));
        } catch (RuntimeException e) {
            sources.close();
            throw e;
        }
    }

    private record FromSource(IdSources sources, IdSource source) implements Keys {
        @Override
        public void next(long[] into, int at) {
            into[at] = source.nextId();
        }

        @Override
        public void close() {
            sources.close();
        }
    }
}
