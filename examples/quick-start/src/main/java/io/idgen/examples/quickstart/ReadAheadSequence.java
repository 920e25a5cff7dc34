package io.idgen.examples.quickstart;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** A sequence of Hibernate that one process reads ahead, next to a process that does not. */
public final class ReadAheadSequence {
    private ReadAheadSequence() {}

    /**
     * Prints the ids that two processes insert in turn.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        try (EntityManagerFactory old = Persistence.createEntityManagerFactory("loans");
                EntityManagerFactory updated = Persistence.createEntityManagerFactory("loans", readAhead())) {
            for (EntityManagerFactory process : new EntityManagerFactory[] {old, updated, old, updated}) {
                System.out.println((process == old ? "Hibernate " : "read ahead ") + insert(process));
            }
        }
    }

    private static Properties readAhead() {
        try (InputStream file = ReadAheadSequence.class.getResourceAsStream("/read-ahead.properties")) {
            Properties properties = new Properties();
            properties.load(file);
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long insert(EntityManagerFactory process) {
        try (EntityManager entities = process.createEntityManager()) {
            entities.getTransaction().begin();
            Loan loan = new Loan();
            entities.persist(loan);
            entities.getTransaction().commit();
            return loan.getId();
        }
    }
}
