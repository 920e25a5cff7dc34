package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.cli.leases.RedisAdmin;
import io.idgen.core.AllocationException;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.testing.LeaseAdminContract;
import java.io.IOException;
import java.time.InstantSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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

    @Override
    protected LeaseAdmin admin() {
        return admin(scripts);
    }

    private static LeaseAdmin admin(RedisScripts scripts) {
        return new RedisAdmin(scripts, new RedisWorkerIds(scripts));
    }

    @Test
    void anOperatorNeedsOnePermissionMoreThanAProcess() throws IOException {
        String rights = "on >secret ~idgen:* +eval +evalsha +info +time +hget +hmget +hset +hdel +ping +hello";
        server.command(("ACL SETUSER idgen " + rights).split(" "));
        server.command(("ACL SETUSER operator " + rights + " +hgetall").split(" "));
        String address = ":secret@127.0.0.1:" + server.port();
        try (RedisScripts process = RedisScripts.connectingTo("redis://idgen" + address)) {
            AllocationException e =
                    assertThrows(AllocationException.class, () -> admin(process).namespaces("default"));
            assertThat(e).hasMessageContaining("HGETALL for idgen doctor");
        }
        try (RedisScripts operator = RedisScripts.connectingTo("redis://operator" + address)) {
            assertThat(admin(operator).findings("default", InstantSource.system()))
                    .extracting(Finding::text)
                    .anyMatch(text -> text.contains("has its incarnation marker"));
            assertThat(admin(operator).namespaces("default")).hasSize(1);
        }
    }
}
