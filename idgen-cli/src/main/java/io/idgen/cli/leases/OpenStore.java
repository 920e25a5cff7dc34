package io.idgen.cli.leases;

import io.idgen.core.lease.LeaseStore;
import io.idgen.ops.Doctor;
import io.idgen.ops.Repair;
import java.time.InstantSource;
import java.util.function.Function;

/** A store that the options name. Opens connections when used. */
public final class OpenStore implements AutoCloseable {
    private final String name;
    private final LeaseStore leases;
    private final Function<InstantSource, Doctor> doctor;
    private final Repair repair;
    private final Runnable close;

    OpenStore(String name, LeaseStore leases, Function<InstantSource, Doctor> doctor, Repair repair, Runnable close) {
        this.name = name;
        this.leases = leases;
        this.doctor = doctor;
        this.repair = repair;
        this.close = close;
    }

    /**
     * Returns the store, for leases of worker ids.
     *
     * @return the store, with the names of tables, keys or nodes that the options give
     */
    public LeaseStore leases() {
        return leases;
    }

    /**
     * Returns the doctor of the store.
     *
     * @param clock this host's clock
     * @return the doctor
     */
    public Doctor doctor(InstantSource clock) {
        return doctor.apply(clock);
    }

    /**
     * Returns the repair of the store.
     *
     * @return the repair
     */
    public Repair repair() {
        return repair;
    }

    @Override
    public void close() {
        close.run();
    }

    /** Returns the name of the store, without secrets. */
    @Override
    public String toString() {
        return name;
    }
}
