package io.idgen.framework.jta;

import static org.assertj.core.api.Assertions.assertThat;

import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Hibernate under JTA with Narayana and a transactional pool of Agroal. The only setting of idgen's own is the
 * strategy.
 */
@Tag("matrix")
class JtaTest {
    private static final TransactionManager TRANSACTIONS = com.arjuna.ats.jta.TransactionManager.transactionManager();

    private final Database database = TestDatabase.POSTGRESQL.create();
    private final AgroalDataSource pool = pool();

    @AfterEach
    void close() {
        pool.close();
        database.close();
    }

    private AgroalDataSource pool() {
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(connections -> connections
                            .maxSize(2)
                            .transactionIntegration(new NarayanaTransactionIntegration(
                                    TRANSACTIONS, new TransactionSynchronizationRegistryImple()))
                            .connectionFactoryConfiguration(connection -> connection
                                    .jdbcUrl(database.plainUrl())
                                    .principal(new NamePrincipal(database.user()))
                                    .credential(new SimplePassword(database.password())))));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A strategy, and the query that counts its committed grants. */
    enum Strategy {
        SNOWFLAKE("SELECT count(*) FROM idgen_worker WHERE owner_token IS NOT NULL"),
        SEGMENT("SELECT count(*) FROM idgen_counter WHERE next_id > 1");

        final String grants;

        Strategy(String grants) {
            this.grants = grants;
        }
    }

    private SessionFactory boot(Strategy strategy) {
        Configuration configuration = new Configuration();
        configuration.addAnnotatedClass(Payment.class);
        configuration.getProperties().put("jakarta.persistence.jtaDataSource", pool);
        return configuration
                .setProperty("hibernate.transaction.coordinator_class", "jta")
                .setProperty(
                        "hibernate.transaction.jta.platform",
                        "org.hibernate.engine.transaction.jta.platform.internal.JBossStandAloneJtaPlatform")
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("idgen.strategy", strategy.name().toLowerCase(java.util.Locale.ROOT))
                .setProperty("idgen.acquire-timeout", "1m") // longer, for a busy machine
                .buildSessionFactory();
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return found.getLong(1);
        }
    }

    /** Persists and flushes in the thread's transaction. */
    private static Payment persist(SessionFactory factory) {
        Payment payment = new Payment();
        Session session = factory.getCurrentSession();
        session.persist(payment);
        session.flush();
        return payment;
    }

    @ParameterizedTest
    @EnumSource
    void whatIsGrantedIsCommittedWhileTheTransactionOfTheCallerIsOpenAndIsNotRepeatedAfterItsRollback(Strategy strategy)
            throws Exception {
        try (SessionFactory factory = boot(strategy)) {
            TRANSACTIONS.begin();
            Payment rolledBack = persist(factory);

            assertThat(number(strategy.grants)).isOne();
            assertThat(resources(TRANSACTIONS.getTransaction())).isOne();
            TRANSACTIONS.rollback();

            assertThat(number(strategy.grants)).isOne();
            TRANSACTIONS.begin();
            Payment kept = persist(factory);
            TRANSACTIONS.commit();
            assertThat(kept.id).isGreaterThan(rolledBack.id);
            assertThat(number("SELECT count(*) FROM payment")).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionInsideAnotherRollsBackAloneAndBothHaveIdsOfTheirOwn(Strategy strategy) throws Exception {
        try (SessionFactory factory = boot(strategy)) {
            TRANSACTIONS.begin();
            Payment outer = persist(factory);
            Transaction suspended = TRANSACTIONS.suspend();
            TRANSACTIONS.begin(); // like REQUIRES_NEW
            Payment inner = persist(factory);
            TRANSACTIONS.rollback();
            TRANSACTIONS.resume(suspended);
            Payment next = persist(factory);
            TRANSACTIONS.commit();

            assertThat(inner.id).isGreaterThan(outer.id);
            assertThat(next.id).isGreaterThan(inner.id);
            assertThat(number("SELECT count(*) FROM payment")).isEqualTo(2);
        }
    }

    /** Returns the number of connections that have enlisted in the transaction. */
    private static int resources(Transaction transaction) {
        return ((com.arjuna.ats.jta.transaction.Transaction) transaction)
                .getResources()
                .size();
    }
}
