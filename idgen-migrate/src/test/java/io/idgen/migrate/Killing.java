package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Connections of a process that is killed before a change or a commit. The server then ends its session. */
final class Killing {
    /** Values that differ from run to run: writers move numbers and add blocks faster than one kill for each. */
    private static final Pattern VALUES = Pattern.compile("AUTO_INCREMENT = \\d+|'\\(\\d+,0\\)'");

    /** Far more than a migration has. */
    private static final int MOST = 500;

    private Killing() {}

    /** The process has ended. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /**
     * Runs a migration until it is killed before a statement at which none was killed yet.
     *
     * @param statements those at which one was killed, without their values
     * @return whether it was killed; if not, it has ended
     */
    static boolean isKilled(Set<String> statements, DataSource real, Migration.To to, Consumer<Migration> work) {
        assertThat(statements)
                .as("a text with a value is another one each time")
                .hasSizeLessThan(MOST);
        DataSource killing =
                before(real, each -> statements.add(VALUES.matcher(each).replaceAll("")));
        try {
            work.accept(Library.migration(killing, to));
            return false;
        } catch (Killed e) {
            return true;
        }
    }

    private static DataSource before(DataSource real, Predicate<String> isNow) {
        return Wrapped.dataSource(() -> {
            Connection connection = real.getConnection();
            String[] last = {""};
            return Wrapped.wrap(Connection.class, connection, call -> {
                if (call.is("commit")) {
                    killIf(isNow, connection, "commit after " + last[0]);
                }
                Object answer = call.proceed();
                if (call.is("prepareStatement")) {
                    String sql = (String) call.arguments()[0];
                    return Wrapped.wrap(PreparedStatement.class, (PreparedStatement) answer, asked -> {
                        if (asked.is("executeUpdate")) {
                            killIf(isNow, connection, sql);
                        }
                        return asked.proceed();
                    });
                }
                return call.is("createStatement")
                        ? Wrapped.wrap(Statement.class, (Statement) answer, asked -> {
                            if (asked.is("execute")) {
                                last[0] = (String) asked.arguments()[0];
                                killIf(isNow, connection, last[0]);
                            }
                            return asked.proceed();
                        })
                        : answer;
            });
        });
    }

    private static void killIf(Predicate<String> isNow, Connection connection, String statement) throws SQLException {
        if (isNow.test(statement)) {
            connection.abort(Runnable::run);
            throw new Killed();
        }
    }
}
