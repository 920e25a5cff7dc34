package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedDatabaseTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:",
                "jdbc:h2:mem:test;DB_CLOSE_DELAY=-1",
                "JDBC:H2:MEM:TEST",
                "jdbc:h2:~/test",
                "jdbc:h2:./data/test;MODE=PostgreSQL",
                "jdbc:h2:file:/data/test",
                "jdbc:h2:file:/data/test;AUTO_SERVER=FALSE",
                "jdbc:h2:file:/data/test;FILE_LOCK=FS",
                "jdbc:hsqldb:mem:test",
                "jdbc:hsqldb:file:/data/test",
                "jdbc:hsqldb:res:/test",
                "jdbc:sqlite::memory:"
            })
    void ofThisProcessAloneIs(String url) {
        assertThat(EmbeddedDatabase.isOwnedByThisProcess(url)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:tcp://localhost/~/test",
                "jdbc:h2:tcp://localhost/mem:test",
                "jdbc:h2:ssl://localhost:9092/~/test",
                "JDBC:H2:TCP://LOCALHOST/MEM:TEST",
                "jdbc:h2:~/test;AUTO_SERVER=TRUE",
                "jdbc:h2:~/test;MODE=MySQL;auto_server=true;MODE=MySQL",
                "jdbc:h2:~/test;AUTO_SERVER=1", // H2 reads 1, t, y and yes as true too
                "jdbc:h2:~/test;AUTO_SERVER=YES",
                "jdbc:h2:~/test;FILE_LOCK=NO",
                "jdbc:h2:~/test;file_lock=no;MODE=MySQL",
                "jdbc:hsqldb:hsql://localhost/test",
                "jdbc:hsqldb:hsqls://localhost/test",
                "jdbc:hsqldb:http://localhost/test",
                "jdbc:hsqldb:https://localhost/test",
                "jdbc:hsqldb:file:/data/test;hsqldb.lock_file=false",
                "jdbc:sqlite:/data/test.db",
                "jdbc:sqlite:file::memory:?cache=shared",
                "jdbc:postgresql://localhost/test",
                "jdbc:postgresql:test",
                "jdbc:mariadb://localhost/h2:mem:",
                "jdbc:mysql://localhost/test",
                "jdbc:oracle:thin:@localhost:1521/test",
                "jdbc:sqlserver://localhost",
                "jdbc:p6spy:h2:mem:test",
                "h2:mem:test",
                ""
            })
    void whatOthersMayOpenIsNot(String url) {
        assertThat(EmbeddedDatabase.isOwnedByThisProcess(url)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:",
                "JDBC:H2:MEM:test;DB_CLOSE_DELAY=-1",
                "jdbc:hsqldb:mem:test",
                "jdbc:sqlite::memory:"
            })
    void whatIsInMemoryIs(String url) {
        assertThat(EmbeddedDatabase.isInMemory(url)).isTrue();
        assertThat(EmbeddedDatabase.isOwnedByThisProcess(url)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:file:/data/test",
                "jdbc:h2:~/mem:test",
                "jdbc:h2:tcp://localhost/mem:test",
                "jdbc:hsqldb:file:/data/test",
                "jdbc:sqlite:/data/test.db",
                "jdbc:postgresql://localhost/test",
                ""
            })
    void filesAndServersAreNotInMemory(String url) {
        assertThat(EmbeddedDatabase.isInMemory(url)).isFalse();
    }
}
