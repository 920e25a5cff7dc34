package io.idgen.cli.compare;

import io.idgen.cli.compare.result.Comparison.Answer;
import java.util.List;

/** Which kind for whom: plain rules, which need no measurement. */
final class Rules {
    private static final String SNOWFLAKE = "idgen.strategy=snowflake";

    /** The rules, the usual case first. */
    static final List<Answer> ANSWERS = List.of(
            new Answer(
                    "Your application alone inserts, in one process or many",
                    "snowflake",
                    List.of(SNOWFLAKE),
                    "A BIGINT of 18 digits with its time, without a round trip, also during an outage."),
            new Answer(
                    "Ids must be short, fit into an INT, or be exact in JavaScript",
                    "segment",
                    List.of("idgen.strategy=segment"),
                    "Numbers from 1, about one round trip a minute. A crash loses a block: a gap, never a duplicate."),
            new Answer(
                    "Other programs insert into the same tables",
                    "native-sequence",
                    List.of(
                            "idgen.strategy=native-sequence",
                            "idgen.sources.<name>.sequence=<the sequence of the others>",
                            "idgen.sources.<name>.increment=<its increment>",
                            "idgen.sources.<name>.value-is=last"),
                    "The database keeps all ids apart, and there are none during an outage. MySQL has no sequences."),
            new Answer(
                    "Several databases, without a single point of failure",
                    "stepped",
                    List.of("idgen.strategy=stepped", "idgen.stepped.instance=1", "idgen.stepped.instances=2"),
                    "Instance i of N generates i, i + N, i + 2N from a database of its own."),
            new Answer(
                    "An outage of the database may last for ten minutes",
                    "snowflake",
                    List.of(SNOWFLAKE),
                    "About 500 million ids per process outlast any outage; their times stay behind meanwhile. With"
                            + " segment: idgen.segment.reserve=10min. A process that starts in it waits for its end."),
            new Answer(
                    "JavaScript reads ids as numbers, and they must contain their time",
                    "snowflake",
                    List.of(SNOWFLAKE, "idgen.snowflake.layout=js-safe"),
                    "53 bits, at most 8 processes. With the default layout, send ids as strings: idgen-jackson does."),
            new Answer(
                    "Systems without a common database generate ids",
                    "uuid-v7",
                    List.of(),
                    "16 bytes, in the order of time. No idgen needed."));

    private Rules() {}
}
