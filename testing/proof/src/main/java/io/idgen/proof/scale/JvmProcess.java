package io.idgen.proof.scale;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A JVM of its own with one source, and a connection of its own. */
final class JvmProcess implements StartedProcess {
    private static final String ID = "id ";
    private static final String SOURCE = "ids";

    private final ChildJvm jvm;
    private volatile boolean ended;

    /** Starts a JVM; does not wait for its first id. */
    JvmProcess(Map<String, String> settings) {
        try {
            jvm = ChildJvm.start(
                    JvmProcess.class,
                    settings.entrySet().stream()
                            .map(each -> each.getKey() + "=" + each.getValue())
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs in the JVM: prints the first id, and another one for each line that it reads. */
    public static void main(String[] settings) throws IOException {
        IdSources.Builder builder = IdSources.builder().source(SOURCE);
        for (String each : settings) {
            int equals = each.indexOf('=');
            builder.set(each.substring(0, equals), each.substring(equals + 1));
        }
        try (IdSources sources = builder.build()) {
            IdSource ids = sources.get(SOURCE);
            print(first(ids));
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                OptionalLong id = ids.tryNextId();
                print(id.isPresent() ? Long.toString(id.getAsLong()) : "");
            }
        }
    }

    private static String first(IdSource ids) {
        try {
            return Long.toString(ids.nextId());
        } catch (IdGenerationException e) {
            return e.code().name();
        }
    }

    private static void print(String text) {
        System.out.println(ID + text);
    }

    @Override
    public long firstId() {
        try {
            String answer = jvm.awaitsAfter(ID);
            if (!Character.isDigit(answer.charAt(0))) {
                throw new IdGenerationException(ErrorCode.valueOf(answer), "the JVM got no id: " + answer);
            }
            return Long.parseLong(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public OptionalLong tryNextId() {
        try {
            jvm.tell("");
            String answer = jvm.awaitsAfter(ID);
            return answer.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(answer));
        } catch (IOException | AssertionError e) { // the pipe of a JVM that ended
            if (ended) {
                return OptionalLong.empty();
            }
            throw new IllegalStateException("a JVM ended by itself", e);
        }
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    /** Ends it by {@code kill -9}. */
    @Override
    public CompletableFuture<?> crash() {
        ended = true;
        jvm.kill();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<?> stop() {
        ended = true;
        return CompletableFuture.runAsync(() -> {
            try {
                jvm.endInput();
                jvm.awaitsEnd();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException("a JVM does not end", e);
            }
        });
    }
}
