package io.idgen.jdbc.internal.strategy;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.config.ExistingIds;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.internal.time.Pages;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.Counters;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Compares the next ids of sources with the largest keys of their tables, if a framework knows these: once per start,
 * before the first id, with one statement for all tables. Raises a counter that is not above them. Refuses a sequence
 * that is not, a layout that did not make them, and a column that accepts no ids. Safe for many threads.
 */
final class StartLook implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(StartLook.class.getName());

    private static final String IDENTITY_PAGE = " (" + Pages.DOCS + "adopting-identity.md)";

    /** How many columns a statement reads at most. */
    private static final int MOST_COLUMNS = 50;

    /** The sources that were not compared yet, by name. */
    private final Map<String, Subject> open = new ConcurrentHashMap<>();

    /** All sources with keys; used while a source opens, which happens under a lock. */
    private final Map<SourceContext, Optional<Subject>> known = new HashMap<>();

    /** The largest keys of sequences that have returned no value yet, by the name of the source. */
    private final Map<String, LargestValue> belowSequence = new ConcurrentHashMap<>();

    private final Set<String> leased = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock(); // a virtual thread in a monitor would pin its carrier
    private volatile @Nullable String workerTable;

    /**
     * A source.
     *
     * @param table its strategy if it has a counter or a sequence; null for snowflakes
     * @param counters one for each database with its row; empty for others
     * @param database the database with the keys
     * @param hasRowHere whether the row is there, too
     */
    private record Subject(
            SourceContext source,
            List<SqlName> keys,
            @Nullable TableStrategy table,
            List<Counters> counters,
            JdbcAccess access,
            DataSource database,
            boolean hasRowHere) {

        static Optional<Subject> of(SourceContext source) {
            IdStrategy strategy = source.strategy();
            TableStrategy table = strategy instanceof TableStrategy it ? it : null;
            if (source.keys().isEmpty()
                    || !JdbcSettings.isAvailable(source)
                    || (table == null && !strategy.name().equals("snowflake"))) {
                return Optional.empty();
            }
            JdbcAccess access = JdbcAccess.of(source);
            Optional<DataSource> elsewhere = JdbcAccess.ofEntities(source);
            return Optional.of(new Subject(
                    source,
                    source.keys().stream().map(key -> SqlName.parse(key, 2, 4)).toList(),
                    table,
                    table == null ? List.of() : table.counters(source),
                    access,
                    elsewhere.orElse(access.dataSource()),
                    table != null
                            && elsewhere.isEmpty()
                            && !table.tables(source).isEmpty()));
        }

        String name() {
            return source.name();
        }
    }

    /** A column with keys of a source. */
    private record Key(Subject subject, SqlName column) {

        /** Returns whether the counter has no row yet, or the table cannot be read, perhaps because it is missing. */
        boolean isNew(@Nullable LargestValue largest) {
            return !subject.counters.isEmpty() && (largest == null || (subject.hasRowHere && largest.other() == null));
        }
    }

    /** Looks before its first ids. */
    private record Looking(StartLook look, Subject subject, SegmentAllocator allocator) implements SegmentAllocator {
        @Override
        public Segment allocate(String name, int wanted) {
            look.look(List.of(subject));
            Segment segment = allocator.allocate(name, wanted);
            look.checkSequence(this, segment);
            return segment;
        }

        @Override
        public void handBack(String name, List<Segment> newestFirst) {
            allocator.handBack(name, newestFirst);
        }

        @Override
        public void forget(String name) {
            allocator.forget(name);
        }

        @Override
        public boolean isOnDemand() {
            return allocator.isOnDemand();
        }

        @Override
        public boolean isRising() {
            return allocator.isRising();
        }

        @Override
        public long limit() {
            return allocator.limit();
        }
    }

    /** Returns the look of all sources of an {@code IdSources}. Call it while a source opens. */
    static StartLook of(SourceContext context) {
        StartLook look = context.shared(StartLook.class, StartLook::new);
        context.all().forEach(look::add);
        return look;
    }

    private void add(SourceContext source) {
        if (!known.containsKey(source)) {
            try {
                Optional<Subject> subject = Subject.of(source);
                subject.ifPresent(each -> open.put(source.name(), each));
                known.put(source, subject);
            } catch (ConfigurationException e) {
                LOG.log(System.Logger.Level.DEBUG, "the first id of this source reports it", e);
            } catch (IllegalArgumentException e) {
                warnNotCompared(source.keys(), e.getMessage());
                known.put(source, Optional.empty());
            }
        }
    }

    /** Returns an allocator that looks before the first ids of a source. */
    SegmentAllocator beforeIds(SourceContext source, SegmentAllocator allocator) {
        return known.getOrDefault(source, Optional.empty())
                .<SegmentAllocator>map(subject -> new Looking(this, subject, allocator))
                .orElse(allocator);
    }

    /** Looks before the first id of a snowflake, unless its lease does. */
    void beforeIds(SourceContext source) {
        Subject subject = open.get(source.name());
        if (subject != null && !leased.contains(source.name())) {
            look(List.of(subject));
        }
    }

    /**
     * Returns the look before a lease, for all snowflakes.
     *
     * @param newWorkerTable the table of the leases
     */
    Runnable beforeLeases(String newWorkerTable) {
        workerTable = newWorkerTable;
        List<Subject> snowflakes =
                open.values().stream().filter(subject -> subject.table == null).toList();
        snowflakes.forEach(subject -> leased.add(subject.name()));
        return () -> look(snowflakes);
    }

    /** Throws if one of the sources is refused, or the database does not answer. Then the next call looks again. */
    private void look(List<Subject> asked) {
        if (asked.stream().noneMatch(this::isOpen)) {
            return;
        }
        lock.lock();
        try {
            for (Subject subject : asked) {
                IdGenerationException refusal =
                        isOpen(subject) ? lookIn(subject.database).get(subject) : null;
                if (refusal != null) {
                    throw refusal;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isOpen(Subject subject) {
        return open.containsKey(subject.name());
    }

    private Map<Subject, IdGenerationException> lookIn(DataSource database) {
        List<Subject> subjects = open.values().stream()
                .filter(subject -> subject.database == database)
                .toList();
        Transactions transactions = new Transactions(
                subjects.stream() // a connection that creates idgen's tables, if the statement reads one of them
                        .filter(subject -> own(subject) != null)
                        .findFirst()
                        .<DataSource>map(subject -> subject.access)
                        .orElse(database),
                subjects.get(0).source.get(JdbcSettings.TIMEOUT));
        List<Key> keys = subjects.stream()
                .flatMap(subject -> subject.keys.stream().map(column -> new Key(subject, column)))
                .toList();
        Map<Key, LargestValue> largest = new HashMap<>();
        for (int from = 0; from < keys.size(); from += MOST_COLUMNS) {
            read(transactions, keys.subList(from, Math.min(from + MOST_COLUMNS, keys.size())), largest);
        }
        Optional<String> migration = keys.stream().anyMatch(key -> key.isNew(largest.get(key)))
                ? migrationIn(transactions)
                : Optional.empty();
        Map<Subject, IdGenerationException> refused = new HashMap<>();
        for (Key key : keys) {
            try {
                judge(key, largest.get(key), migration);
            } catch (IdGenerationException e) {
                refused.put(key.subject, e);
            }
        }
        subjects.stream()
                .filter(subject -> !refused.containsKey(subject))
                .forEach(subject -> open.remove(subject.name(), subject));
        return refused;
    }

    /** Returns a subselect of the next id of a counter, or of the time up to which worker ids have granted ids. */
    private @Nullable SqlText own(Subject subject) {
        if (subject.hasRowHere) {
            String table = subject.access.table(CounterRows.TABLE);
            return new SqlText("(SELECT next_id FROM " + table + " WHERE name = ?)", subject.name());
        }
        boolean hasLeaseHere = workerTable != null && subject.database == subject.access.dataSource();
        return subject.table == null && hasLeaseHere
                ? new SqlText("(SELECT MAX(horizon) FROM " + workerTable + ")")
                : null;
    }

    /** Reads keys with one statement; if the database rejects it because of one of them, each with its own. */
    private void read(Transactions transactions, List<Key> keys, Map<Key, LargestValue> found) {
        List<LargestValue.Wanted> wanted = keys.stream()
                .map(key -> new LargestValue.Wanted(key.column, own(key.subject)))
                .toList();
        List<LargestValue> values =
                transactions.commit("comparing the next ids with the keys", (connection, dialect) -> {
                    try {
                        return LargestValue.read(connection, dialect, wanted);
                    } catch (SQLException e) {
                        Failure failure = dialect.failure(e);
                        if (!failure.isRefusal()) {
                            throw e;
                        }
                        if (keys.size() == 1 && failure != Failure.MISSING_TABLE) {
                            warnNotCompared(keys.get(0).column, e.getMessage());
                        }
                        connection.rollback();
                        return List.of();
                    }
                });
        for (int i = 0; i < values.size(); i++) {
            found.put(keys.get(i), values.get(i));
        }
        if (values.isEmpty() && keys.size() > 1) {
            keys.forEach(key -> read(transactions, List.of(key), found));
        }
    }

    /** Returns who holds the lock of Liquibase; empty if nobody does, or there is none. */
    private static Optional<String> migrationIn(Transactions transactions) {
        return transactions.commit("looking for a migration", (connection, dialect) -> {
            try {
                return new SqlText("SELECT LOCKEDBY, LOCKGRANTED FROM DATABASECHANGELOGLOCK WHERE LOCKED = TRUE")
                        .first(connection, row -> row.getString(1) + " since " + row.getString(2));
            } catch (SQLException e) {
                if (!dialect.failure(e).isRefusal()) {
                    throw e;
                }
                connection.rollback();
                return Optional.empty();
            }
        });
    }

    private void judge(Key key, @Nullable LargestValue largest, Optional<String> migration) {
        Subject subject = key.subject;
        if (key.isNew(largest) && migration.isPresent()) {
            throw new StoreUnavailableException("source '" + subject.name() + "' waits for Liquibase, which may fill "
                    + key.column.table() + ": DATABASECHANGELOGLOCK is locked by " + migration.get()
                    + "; if no migration is running, release the lock; if it takes long, set idgen.startup=lazy");
        }
        if (largest == null) {
            return;
        }
        String alter = "ALTER TABLE " + key.column.table() + " " + largest.clause();
        if (largest.isAlwaysGenerated()) {
            throw new AllocationException(
                    ErrorCode.KEY_ALWAYS_GENERATED,
                    key.column + " is GENERATED ALWAYS, so the database refuses the ids of source '" + subject.name()
                            + "'; run " + alter + IDENTITY_PAGE);
        } else if (largest.unsure() != null) {
            warnNotCompared(key.column, largest.unsure());
        } else if (subject.table == null) {
            long latest = Math.max(largest.nowMillis(), largest.other() == null ? 0 : largest.other());
            ExistingIds.check(subject.source, key.column.toString(), largest.value(), Instant.ofEpochMilli(latest));
        } else if (subject.counters.isEmpty()) {
            belowSequence.merge(subject.name(), largest, (one, other) -> one.value() > other.value() ? one : other);
        } else {
            if (largest.clause() != null) {
                warn("the database still gives " + key.column + " values of its own, and ids of source '"
                        + subject.name() + "' can equal them; run " + alter + IDENTITY_PAGE);
            }
            raise(subject, largest);
        }
    }

    private static void raise(Subject subject, LargestValue largest) {
        if (subject.hasRowHere && (largest.other() == null || largest.other() > largest.value())) {
            return;
        }
        for (Counters counters : subject.counters) {
            counters.raiseAbove(subject.name(), largest.value())
                    .ifPresent(next -> warn("ids of '" + subject.name() + "' go on above " + largest.value()
                            + ", the largest in " + largest.column() + ": the next one was " + next
                            + ", since rows with other ids were inserted, for example by an import"));
        }
    }

    /** Refuses the first value of a sequence if it is not above the largest key. The next call looks again. */
    private void checkSequence(Looking looking, Segment segment) {
        Subject subject = looking.subject;
        LargestValue largest = belowSequence.remove(subject.name());
        if (largest != null && segment.first() <= largest.value()) {
            open.put(subject.name(), subject);
            looking.forget(subject.name());
            throw new AllocationException(
                    ErrorCode.KEYS_AHEAD,
                    "the next id of source '" + subject.name() + "' is " + segment.first() + ", and the largest in "
                            + largest.column() + " is " + largest.value() + "; run "
                            + NativeSequenceStrategy.restart(subject.source, largest.value()));
        }
    }

    private static void warnNotCompared(Object column, @Nullable Object reason) {
        warn("the ids in " + column + " are not compared with the next ids: " + reason);
    }

    private static void warn(String text) {
        LOG.log(System.Logger.Level.WARNING, text);
    }

    @Override
    public void close() {}
}
