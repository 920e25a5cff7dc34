package io.idgen.cli.oncall;

import static io.idgen.cli.oncall.Shop.LEASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.Run;
import io.idgen.cli.common.ExitCodes;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.testing.FreePort;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

/** OnCallContract with Redis, which has no persistence. */
class RedisOnCallTest extends OnCallContract {
    private RedisServer redis;
    private int port;

    @BeforeEach
    void startServer() throws IOException {
        port = FreePort.find();
        redis = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
        redis.start();
        Run.of(("repair --yes " + store()).split(" ")).printed();
    }

    @AfterEach
    void stopServer() throws IOException {
        shop.close();
        redis.stop();
    }

    @Override
    String store() {
        return "--redis redis://127.0.0.1:" + port;
    }

    @Override
    String[] address() {
        return new String[] {"idgen.redis.uri=redis://127.0.0.1:" + port};
    }

    @Override
    void prepareWorkerIds() {
        try (RedisScripts scripts = RedisScripts.connectingTo("redis://127.0.0.1:" + port)) {
            scripts.run("""
                    local function value(section, name)
                      return string.match(redis.call('INFO', section), '[\\r\\n]' .. name .. ':([^\\r\\n]+)')
                    end
                    local me = redis.call('HGET', KEYS[1], 'incarnation') .. ' ' .. value('server', 'run_id') .. ' '
                        .. value('replication', 'master_replid')
                    for id = 0, 1023 do
                      redis.call('HSET', KEYS[1], id .. ':fence', 0, id .. ':horizon', 0, id .. ':until', 0,
                          id .. ':server', me)
                    end
                    return {}
                    """, new RedisWorkerIds(scripts).key("default"), List.of());
        }
    }

    private void flush() {
        try (RedisScripts scripts = RedisScripts.connectingTo("redis://127.0.0.1:" + port)) {
            scripts.run("redis.call('FLUSHALL') return {}", "any", List.of());
        }
    }

    /** Loses all data. */
    private interface Loss {
        void happen() throws IOException;
    }

    private void lostData(Loss loss) throws Exception {
        Shop.Process running = start();
        running.next(LEASED);
        loss.happen();
        Shop.Process next = start("idgen.acquire-timeout=3s");
        symptom(next.failure(LEASED), ErrorCode.INCARNATION_MISSING);
        Guide guide = Guide.to("IDGEN-610");

        doctor("idgen doctor", ExitCodes.FOUND, "marker .*namespace 'default' has no incarnation marker");
        running.next(LEASED, 1_000);
        next.failure(LEASED); // control
        assertThat(type(guide.code("idgen repair")).printed())
                .contains("no marker")
                .contains("ids begin at ");

        idsAgain(next, LEASED);
        running.next(LEASED, 1_000);
    }

    @Test
    void allDataWasFlushed() throws Exception {
        lostData(this::flush);
    }

    @Test
    void aRestartWithoutPersistence() throws Exception {
        lostData(() -> {
            redis.stop();
            redis.start();
        });
    }
}
