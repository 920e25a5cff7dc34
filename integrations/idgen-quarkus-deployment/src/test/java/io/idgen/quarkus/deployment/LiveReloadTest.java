package io.idgen.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.quarkus.test.QuarkusDevModeTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The dev mode, which stops the application and starts it in the same process when a source file changes. */
class LiveReloadTest {
    private static final Database DATABASE = TestDatabase.POSTGRESQL.create();

    @RegisterExtension
    static final QuarkusDevModeTest APPLICATION = new QuarkusDevModeTest()
            .withApplicationRoot(archive -> archive.addClasses(Chapter.class, Chapters.class)
                    .addAsResource(Applications.settings(DATABASE), "application.properties"))
            .setLogRecordPredicate(line -> line.getLoggerName().equals("io.quarkus"));

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void afterAChangeOfASourceFileIdsGoOnAndOnlyTheNewApplicationHasAWorkerId() throws Exception {
        assertThat(answer()).isEqualTo("first edition, 1, 200");

        APPLICATION.modifySourceFile(Chapters.class, text -> text.replace("first edition", "second edition"));

        assertThat(answer()).isEqualTo("second edition, 1, 400");
    }

    private static String answer() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address() + "/chapters"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Returns the address with the port that the system chose, from the line of the start: "Listening on: http://…". */
    private static String address() {
        return APPLICATION.getLogRecords().stream()
                .map(LogRecord::getParameters)
                .filter(Objects::nonNull)
                .flatMap(Stream::of)
                .map(String::valueOf)
                .filter(text -> text.contains("http://"))
                .map(text -> text.substring(text.indexOf("http://")))
                .findFirst()
                .orElseThrow();
    }
}
