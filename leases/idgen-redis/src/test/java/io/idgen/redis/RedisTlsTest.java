package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.StoreUnreachableException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases over TLS, as an ACL user. The redis-server of a Maven artifact has no TLS. */
@Tag("nightly")
class RedisTlsTest {
    private static final String PASSWORD = "secret";
    private static final String NAME = "redis";

    @TempDir
    private static Path folder;

    @AutoClose
    private static RedisServer server;

    private static int port;

    @BeforeAll
    static void start() throws Exception {
        Path store = createStore();
        port = RedisServer.freePort();
        server = RedisServer.ofDebian(
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                certificate(store).toString(),
                "--tls-key-file",
                key(store).toString(),
                "--tls-ca-cert-file",
                certificate(store).toString(),
                "--tls-auth-clients",
                "no");
        RedisScenariosTest.prepare(server.uri());
        server.command("ACL", "SETUSER", "shop", "on", ">" + PASSWORD, "~idgen:*", "+@all");
        server.command("ACL", "SETUSER", "default", "off");
    }

    /** Creates a key with a self-signed certificate, as an operator does with the JDK. */
    private static Path createStore() throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        NAME,
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=redis",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).as("exit code of keytool").isZero();
        return store;
    }

    private static KeyStore load(Path store) throws Exception {
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            loaded.load(in, PASSWORD.toCharArray());
        }
        return loaded;
    }

    private static Path certificate(Path store) throws Exception {
        return pem("CERTIFICATE", load(store).getCertificate(NAME).getEncoded());
    }

    private static Path key(Path store) throws Exception {
        return pem(
                "PRIVATE KEY", load(store).getKey(NAME, PASSWORD.toCharArray()).getEncoded());
    }

    private static Path pem(String what, byte... content) throws Exception {
        String text = Base64.getMimeEncoder().encodeToString(content);
        return Files.writeString(
                folder.resolve(what + ".pem"),
                "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    private static String uri(int to) {
        return "rediss://shop:" + PASSWORD + "@127.0.0.1:" + to;
    }

    @Test
    void aProcessLeasesOverTlsWithTheTrustStoreOfItsJvm() throws Exception {
        List<String> trust = List.of(
                "-Djavax.net.ssl.trustStore=" + folder.resolve("store.p12"),
                "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
        try (LeasingProcess process = LeasingProcess.start(uri(port), trust, "idgen.snowflake.layout=41-0-3-19")) {
            process.awaitReady();

            assertThat(process.draw(100)).hasSize(100).doesNotHaveDuplicates();
        }
    }

    /** The control: this JVM does not trust the certificate. */
    @Test
    void aCertificateThatTheJvmDoesNotTrustIsRefusedWithTheOptionThatNamesIt() {
        try (RedisScripts scripts = RedisScripts.connectingTo(uri(port))) {
            StoreUnreachableException e =
                    assertThrows(StoreUnreachableException.class, () -> scripts.run("return {}", "key", List.of()));

            assertThat(e)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("unable to find valid certification path")
                    .hasMessageContaining("-Djavax.net.ssl.trustStore=")
                    .hasMessageNotContaining(PASSWORD);
        }
    }
}
