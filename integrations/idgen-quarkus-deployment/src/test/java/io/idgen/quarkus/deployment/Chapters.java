package io.idgen.quarkus.deployment;

import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;

/** Inserts 200 chapters for each request. The test changes the text in this file. */
@Singleton
public class Chapters {
    @Inject
    EntityManager entities;

    void route(@Observes Router router) {
        router.post("/chapters").blockingHandler(request -> request.end(add()));
    }

    /** Returns the edition, the number of leased worker ids, and the number of chapters. */
    @Transactional
    String add() {
        for (int i = 0; i < 200; i++) {
            entities.persist(new Chapter());
        }
        entities.flush();
        return "first edition, " + count("idgen_worker WHERE owner_token IS NOT NULL") + ", " + count("Chapter");
    }

    private Object count(String rows) {
        return entities.createNativeQuery("SELECT count(*) FROM " + rows).getSingleResult();
    }
}
