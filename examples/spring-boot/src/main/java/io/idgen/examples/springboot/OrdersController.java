package io.idgen.examples.springboot;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Orders over REST. */
@RestController
@RequestMapping("/orders")
public class OrdersController {
    private final Orders orders;

    OrdersController(Orders orders) {
        this.orders = orders;
    }

    /**
     * Saves an order and its lines in one transaction.
     *
     * @param order without ids
     * @return the same with ids, as strings
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    public CustomerOrder create(@RequestBody CustomerOrder order) {
        return orders.save(order);
    }

    /**
     * Finds an order.
     *
     * @param id its id
     * @return the order, or 404
     */
    @GetMapping("/{id}")
    public ResponseEntity<CustomerOrder> find(@PathVariable long id) {
        return ResponseEntity.of(orders.findById(id));
    }
}
