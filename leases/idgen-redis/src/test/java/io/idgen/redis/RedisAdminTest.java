package io.idgen.redis;

import io.idgen.core.lease.LeaseStore;
import io.idgen.core.testing.LeaseAdminContract;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** Tests the scripts of the doctor and repairs on a server. */
class RedisAdminTest extends LeaseAdminContract {
    @AutoClose
    private static RedisServer server;

    @AutoClose
    private RedisScripts scripts;

    @BeforeAll
    static void start() throws IOException {
        server = RedisServer.start();
    }

    @Override
    protected LeaseStore open() {
        scripts = Rows.on(server);
        return new RedisWorkerIds(scripts);
    }
}
