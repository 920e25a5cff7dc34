package io.idgen.examples.warehouse;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Items over REST. */
@RestController
@RequestMapping("/items")
public class ItemsController {
    @PersistenceContext(unitName = "warehouse")
    private EntityManager warehouse;

    /** Called by Spring. */
    public ItemsController() {}

    /**
     * Saves an item.
     *
     * @param item without an id
     * @return the same with its id
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Transactional("warehouseTransactionManager")
    public Item create(@RequestBody Item item) {
        warehouse.persist(item);
        return item;
    }
}
