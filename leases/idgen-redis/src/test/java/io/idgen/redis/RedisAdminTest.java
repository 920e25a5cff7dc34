package io.idgen.redis;

import io.idgen.core.lease.LeaseStore;
import io.idgen.test.LeaseAdminContract;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Tests the scripts of the doctor and repairs on a server. */
class RedisAdminTest extends LeaseAdminContract {
    private static RedisServer server;

    private RedisScripts scripts;

    @BeforeAll
    static void start() throws IOException {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected LeaseStore open() {
        scripts = Rows.on(server);
        return new RedisWorkerIds(scripts);
    }

    @AfterEach
    void close() {
        scripts.close();
    }
}
