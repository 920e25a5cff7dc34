package io.idgen.proof;

import io.idgen.proof.Store.Cure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets faults happen to processes and their database. A seed determines the order of the faults, whom they strike and
 * how long they last. Each deck has all faults, so that none is missing in a run of a deck.
 */
final class Nemesis {
    private static final Duration POLL = Duration.ofMillis(5);
    private static final Duration SWALLOWING = Duration.ofSeconds(1);
    private static final Duration LOST = Terms.LEASE.multipliedBy(3).dividedBy(2); // no lease of before still lasts
    private static final Duration LONGEST_START = Duration.ofSeconds(20);
    private static final Duration TOGETHER = Terms.LEASE.multipliedBy(3);
    private static final long MOST_SECONDS = 3_600;

    private final Random random;
    private final Store store;
    private final Path folder;
    private final SteppedClock serversClock;
    private final Set<Fault> without;
    private final List<Place> places = new ArrayList<>();
    private final List<Client> all = new ArrayList<>();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final List<Trouble> troubles = new ArrayList<>();
    private final List<Fault> deck = new ArrayList<>();
    private final Place database = new Place(); // all servers
    private long swallowed;
    private int decks;

    /** A process, or the database, with the end of its present fault. */
    private final class Place {
        @Nullable
        Client client; // none for the database

        long wellNanos; // 0 without a fault that lasts

        @Nullable
        Trouble trouble;

        Cure cure = Cure.NONE;
        Cure meanwhile = Cure.NONE; // again and again until the fault ends

        Client client() {
            return Objects.requireNonNull(client);
        }

        void begin(Fault fault) throws IOException {
            trouble = new Trouble(fault, client, Span.now());
            note("begins", trouble);
        }

        void suffer(Duration duration, Cure newCure) {
            wellNanos = System.nanoTime() + duration.toNanos();
            cure = newCure;
        }

        void getWell() throws Exception {
            wellNanos = 0;
            meanwhile = Cure.NONE;
            Cure now = cure;
            cure = Cure.NONE;
            now.end();
            Trouble over = trouble;
            if (over != null) {
                trouble = null;
                troubles.add(
                        new Trouble(over.fault(), over.victim(), over.time().untilNow()));
                note("ends", over);
            }
        }

        private void note(String what, Trouble which) throws IOException {
            Client victim = which.victim();
            String line = Instant.now() + " " + which.fault().text() + " " + what
                    + (victim == null ? "" : " at process " + victim.process.pid()) + "\n";
            Files.writeString(folder.resolve("faults"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }

        boolean hasTwoProcesses() {
            return trouble != null && trouble.fault() == Fault.SUPPLANTED;
        }

        void endIfOver() throws Exception {
            if (wellNanos != 0 && System.nanoTime() - wellNanos > 0) {
                getWell();
            }
        }
    }

    Nemesis(Store store, int processes, long seed, Path folder, SteppedClock serversClock, Set<Fault> without)
            throws IOException {
        this.store = store;
        this.random = new Random(seed);
        this.folder = folder;
        this.serversClock = serversClock;
        this.without = without;
        for (int i = 0; i < processes; i++) {
            places.add(new Place());
        }
        for (Place place : places) {
            start(place);
        }
    }

    private void start(Place place) throws IOException {
        Client client = Client.start(store.url(places.indexOf(place)), places.size(), folder);
        place.client = client;
        all.add(client);
    }

    /** Returns all processes so far, in the order of their starts. */
    List<Client> all() {
        return all;
    }

    /** Returns the processes that run. */
    List<Client> running() {
        return places.stream().map(Place::client).toList();
    }

    Map<Fault, Integer> faults() {
        return faults;
    }

    /** Returns the ids of a source of all processes. */
    Check check(Source source) {
        return new Check(all.stream().map(client -> client.ids(source)).toList());
    }

    /** Returns the longest time of an ended process without an id and without a fault, in milliseconds. */
    long longestWait(Source source) {
        return all.stream()
                .mapToLong(client -> new Liveness(
                                client.life(),
                                troubles.stream()
                                        .filter(trouble -> trouble.strikes(client))
                                        .map(Trouble::time)
                                        .toList())
                        .longestWait(client.ids(source)))
                .max()
                .orElseThrow();
    }

    /** Returns how many leases were lost because another process took the row. */
    long rowsTaken() throws IOException {
        long taken = 0;
        for (Client client : all) {
            taken += client.rowsTaken();
        }
        return taken;
    }

    int decks() {
        return decks;
    }

    /** Returns how many answers were swallowed. */
    long swallowed() {
        return swallowed
                + running().stream()
                        .mapToLong(client -> client.network.swallowed())
                        .sum();
    }

    /** Returns whether all faults of so many decks have happened. */
    boolean hasFinished(int count) {
        return decks > count || (decks == count && deck.isEmpty());
    }

    boolean isAtEndOfDeck() {
        return deck.isEmpty();
    }

    /** Lets the next fault happen, and waits. */
    void strike(Duration pause) throws Exception {
        if (deck.isEmpty()) {
            for (Fault fault : Fault.values()) {
                if (store.has(fault) && !without.contains(fault)) {
                    deck.addAll(Collections.nCopies(fault.share, fault));
                }
            }
            Collections.shuffle(deck, random);
            decks++;
            if (deck.contains(Fault.RESTORED)) {
                store.backUp();
            }
        }
        Fault fault = deck.remove(deck.size() - 1);
        int number = random.nextInt(places.size());
        double extent = random.nextDouble();
        faults.merge(fault, 1, Integer::sum);
        Place place = fromOn(number);
        Place struck = fault.isOfDatabase() ? database : place;
        struck.getWell();
        struck.begin(fault);
        if (fault.isOfDatabase()) {
            strikeDatabase(fault, place, extent);
        } else {
            strike(fault, place, extent);
        }
        if (struck.wellNanos == 0) { // it does not last
            struck.getWell();
        }
        pass(pause);
    }

    /** Returns this place, or the next one with a single process. */
    private Place fromOn(int number) throws Exception {
        while (true) {
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get((number + i) % places.size());
                if (!place.hasTwoProcesses()) {
                    return place;
                }
            }
            pass(POLL);
        }
    }

    private void strike(Fault fault, Place place, double extent) throws Exception {
        Client client = place.client();
        switch (fault) {
            case KILLED -> replace(place);
            case TERMINATED -> {
                client.terminate();
                place.suffer(Terms.LEASE, () -> replace(place));
            }
            case STOPPED -> {
                client.process.signal("STOP");
                place.suffer(Fault.duration(extent), () -> client.process.signal("CONT"));
            }
            case SUPPLANTED -> supplant(place);
            case RESET -> {
                client.network.refuse();
                client.network.pass();
            }
            case BLACK_HOLE -> {
                client.network.silence();
                place.suffer(Fault.duration(extent), client.network::pass);
            }
            case ANSWERS_EATEN -> {
                place.meanwhile = client.network::eatAnswers;
                place.suffer(SWALLOWING, Cure.NONE);
            }
            case REQUESTS_REPEATED -> {
                place.meanwhile = client.network::repeatRequests;
                place.suffer(SWALLOWING, Cure.NONE);
            }
            case DELAYED -> {
                client.network.delay(Duration.ofMillis((long) (20 + 380 * extent)));
                place.suffer(Fault.duration(extent), client.network::pass);
            }
            case CLOCK_STEPPED -> client.clock.stepTo((long) ((2 * extent - 1) * MOST_SECONDS));
            default -> throw new IllegalArgumentException(fault.text());
        }
    }

    /** Stops a process until a new one, which needs its worker id, generates ids. Then both run. */
    private void supplant(Place place) throws IOException {
        Client old = place.client();
        old.process.signal("STOP");
        start(place);
        place.suffer(LONGEST_START, () -> kill(old));
        place.meanwhile = () -> {
            if (place.client().ids(Source.SNOWFLAKE).count() > 0) {
                old.process.signal("CONT");
                place.suffer(TOGETHER, () -> kill(old));
                place.meanwhile = Cure.NONE;
            }
        };
    }

    private void strikeDatabase(Fault fault, Place place, double extent) throws Exception {
        if (fault == Fault.SERVERS_CLOCK_STEPPED) {
            stepServersClock(2 * extent - 1);
            return;
        }
        if (fault == Fault.TABLE_LOCKED) {
            letProcessesGoOn();
        }
        Cure cure = store.strike(fault, extent);
        if (fault.goesBack()) {
            goBack(cure, place);
        } else if (fault == Fault.TABLE_LOCKED) {
            database.suffer(Fault.duration(extent), cure);
        } else {
            connectAgain(); // new connections meet the fault
            database.suffer(Fault.duration(extent), () -> {
                cure.end();
                connectAgain();
            });
        }
    }

    /** Steps back for a while, or forward for good. After a step back for good, all would have to wait as long. */
    private void stepServersClock(double hours) throws Exception {
        long right = serversClock.ahead();
        serversClock.stepTo(right + (long) (hours * MOST_SECONDS));
        if (hours < 0) {
            database.suffer(Fault.duration(-hours), () -> serversClock.stepTo(right));
        }
    }

    /** Ends the faults of all processes: the lock of a table waits for the transaction of one that stands still. */
    private void letProcessesGoOn() throws Exception {
        for (Place place : places) {
            place.getWell();
        }
    }

    /**
     * Lets the store lose its last changes. A process dies at the same time. Its successor, which does not know the
     * lost ids, reaches the store before all others.
     */
    private void goBack(Cure loss, Place dying) throws Exception {
        pass(LOST);
        for (Place place : places) {
            place.getWell();
            place.client().network.refuse();
        }
        dying.client().process.kill();
        loss.end();
        replace(dying);
        long endNanos = System.nanoTime() + LONGEST_START.toNanos();
        while (store.sources().contains(Source.CONTROL_COUNTER)
                && dying.client().ids(Source.CONTROL_COUNTER).count() == 0
                && System.nanoTime() - endNanos < 0) {
            LockSupport.parkNanos(POLL.toNanos());
        }
        connectAgain();
        places.forEach(place -> place.client().network.pass());
    }

    /** Cuts all connections. New ones lead to where the store is now. */
    private void connectAgain() {
        for (Place place : places) {
            place.client().network.leadTo(store.url(places.indexOf(place)));
        }
    }

    private void replace(Place place) throws IOException {
        kill(place.client());
        start(place);
    }

    private void kill(Client client) {
        swallowed += client.network.swallowed();
        client.kill();
    }

    private void pass(Duration pause) throws Exception {
        long endNanos = System.nanoTime() + pause.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            LockSupport.parkNanos(POLL.toNanos());
            for (Place place : places) {
                place.meanwhile.end();
                place.endIfOver();
            }
            database.endIfOver();
        }
    }

    /** Ends all faults. */
    void rest() throws Exception {
        database.getWell();
        for (Place place : places) {
            place.getWell();
        }
    }
}
