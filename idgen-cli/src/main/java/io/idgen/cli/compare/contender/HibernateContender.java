package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.database.Phase;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.KeyFamily;
import java.util.List;
import java.util.Map;

/**
 * A generator of Hibernate, with its own session factory. Hibernate is not part of idgen.jar. Without it, this class
 * can be loaded, and {@link HibernateKeys} cannot.
 *
 * @param entity the entity that has this generator, a nested class of {@link HibernateKeys}
 */
record HibernateContender(String name, KeyFamily family, String what, String entity) implements Contender {
    /** The increment of Hibernate's generators: its default. */
    static final int INCREMENT = 50;

    private static final String HIBERNATE = "org.hibernate.SessionFactory";
    private static final String TSID = "io.hypersistence.utils.hibernate.id.Tsid";

    /** Returns the contenders whose libraries are on the class path. */
    static List<Contender> present() {
        return all().stream()
                .filter(HibernateContender::isPresent)
                .map(each -> (Contender) each)
                .toList();
    }

    /** Returns how to add the missing contenders; empty if none are missing. */
    static List<String> missing() {
        List<String> names = all().stream()
                .filter(each -> !each.isPresent())
                .map(HibernateContender::name)
                .toList();
        return names.isEmpty()
                ? List.of()
                : List.of(Contenders.howToAdd(
                        names,
                        Contenders.isOnClassPath(HIBERNATE) ? "hypersistence-utils-hibernate-73" : "hibernate-core"));
    }

    private static List<HibernateContender> all() {
        return List.of(
                new HibernateContender(
                        "hibernate-identity",
                        KeyFamily.WITH_ROW,
                        "Hibernate's IDENTITY; each id inserts a row",
                        "IdentityRow"),
                new HibernateContender(
                        "hibernate-sequence",
                        KeyFamily.PEER,
                        "Hibernate's SEQUENCE, pooled optimizer, increment " + INCREMENT,
                        "SequenceRow"),
                new HibernateContender(
                        "hibernate-table",
                        KeyFamily.PEER,
                        "Hibernate's TABLE, pooled optimizer, increment " + INCREMENT,
                        "TableRow"),
                new HibernateContender(
                        "hypersistence-tsid",
                        KeyFamily.TSID,
                        "@Tsid of hypersistence-utils under Hibernate",
                        "TsidRow"));
    }

    private boolean isPresent() {
        return Contenders.isOnClassPath(HIBERNATE) && (family != KeyFamily.TSID || Contenders.isOnClassPath(TSID));
    }

    @Override
    public String unfitFor(Product product) {
        return entity.equals("SequenceRow") && !product.hasSequences() ? product + " has no sequences" : "";
    }

    @Override
    public Map<String, String> tables(String prefix, Phase phase, Product product) {
        String own = prefix + phase.source() + "_";
        return switch (entity) {
            case "IdentityRow" ->
                Map.of(
                        "TABLE " + own + "hib_identity",
                        " (id " + product.keyType(KeyFamily.WITH_ROW) + " PRIMARY KEY)");
            case "SequenceRow" -> Map.of("SEQUENCE " + own + "hib_seq", " START WITH 1 INCREMENT BY " + INCREMENT);
            case "TableRow" ->
                Map.of(
                        "TABLE " + own + "hib_gen",
                        " (sequence_name VARCHAR(255) NOT NULL PRIMARY KEY, next_val BIGINT)");
            default -> Map.of();
        };
    }

    @Override
    public Keys open(Opening opening) {
        return HibernateKeys.open(
                entity,
                opening.pool().tablePrefix() + opening.phase().source() + "_",
                opening.pool().dataSource());
    }
}
