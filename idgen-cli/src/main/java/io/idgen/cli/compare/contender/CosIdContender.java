package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.database.Phase;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.KeyFamily;
import java.util.List;
import java.util.Map;

/**
 * CosId's segments: its SegmentChainId over a table. CosId is not part of idgen.jar. Without it, this class can be
 * loaded, and {@link CosIdKeys} cannot.
 */
public record CosIdContender(String name, KeyFamily family, String what) implements Contender {
    /** The number of ids of a segment: CosId's default. */
    public static final int STEP = 10;

    private static final String NAME = "cosid-segment";
    private static final String COSID = "me.ahoo.cosid.segment.SegmentChainId";

    private CosIdContender() {
        this(NAME, KeyFamily.PEER, "CosId's SegmentChainId over a table, step " + STEP);
    }

    /** Returns the contender if CosId is on the class path. */
    static List<Contender> present() {
        return Contenders.isOnClassPath(COSID) ? List.of(new CosIdContender()) : List.of();
    }

    /** Returns how to add the contender if it is missing; empty if it is not. */
    static List<String> missing() {
        return Contenders.isOnClassPath(COSID) ? List.of() : List.of(Contenders.howToAdd(List.of(NAME), "cosid-core"));
    }

    @Override
    public Map<String, String> tables(String prefix, Phase phase, Product product) {
        return Map.of(
                "TABLE " + table(prefix, phase),
                " (name VARCHAR(100) NOT NULL PRIMARY KEY, last_max_id BIGINT NOT NULL, last_fetch_time BIGINT NOT NULL)");
    }

    private static String table(String prefix, Phase phase) {
        return prefix + phase.source() + "_cosid";
    }

    @Override
    public Keys open(Opening opening) {
        return CosIdKeys.open(
                table(opening.pool().tablePrefix(), opening.phase()),
                opening.pool().dataSource());
    }
}
