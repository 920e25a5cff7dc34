package io.idgen.redis.internal.strategy;

import io.idgen.redis.RedisScripts;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A Redis that loses its keys on request, and whose clock stands still. */
final class ForgetfulRedis implements RedisScripts {
    private final RedisScripts scripts;
    private final String millis;
    private String life = UUID.randomUUID().toString();

    ForgetfulRedis(String uri, long millis) {
        this.scripts = RedisScripts.connectingTo(uri);
        this.millis = Long.toString(millis);
    }

    void forget() {
        life = UUID.randomUUID().toString();
    }

    @Override
    public List<String> run(String script, String key, List<String> arguments) {
        List<String> answer = new ArrayList<>(scripts.run(script, life + key, arguments));
        if (answer.size() > 1) {
            answer.set(0, millis);
        }
        return answer;
    }

    @Override
    public void close() {
        scripts.close();
    }
}
