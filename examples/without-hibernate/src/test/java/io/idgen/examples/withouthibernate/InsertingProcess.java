package io.idgen.examples.withouthibernate;

import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.idgen.examples.withouthibernate.NewOrder.NewLine;
import io.idgen.examples.withouthibernate.mybatisplus.MybatisPlusOrders;
import io.idgen.examples.withouthibernate.mybatisplus.MybatisPlusShop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Places orders in a separate process, until all are placed or one fails with a duplicate key. */
final class InsertingProcess {
    static final String DUPLICATE = "duplicate key";
    static final String PLACED = "placed";

    private InsertingProcess() {}

    /**
     * Prints an id, waits for a line, places the orders, and prints how it ended.
     *
     * @param arguments the number of orders, and then settings of the application
     */
    public static void main(String[] arguments) throws IOException {
        NewOrder order = new NewOrder("Dorothea", List.of(new NewLine("Middlemarch", 1), new NewLine("Emma", 2)));
        int orders = Integer.parseInt(arguments[0]);
        try (ConfigurableApplicationContext shop = new SpringApplicationBuilder(MybatisPlusShop.class)
                .properties(List.of(arguments).subList(1, arguments.length).toArray(String[]::new))
                .run()) {
            MybatisPlusOrders desk = shop.getBean(MybatisPlusOrders.class);
            System.out.println(IdWorker.getId());
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            for (int placed = 0; placed < orders; placed++) {
                desk.place(order);
            }
            System.out.println(PLACED);
        } catch (RuntimeException e) {
            if (!isDuplicateKey(e)) {
                throw e;
            }
            System.out.println(DUPLICATE);
        }
    }

    /**
     * Returns whether the cause is a duplicate key. In a batch, MyBatis-Plus does not translate it to Spring's
     * DuplicateKeyException.
     */
    private static boolean isDuplicateKey(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException refusal && "23505".equals(refusal.getSQLState())) {
                return true;
            }
        }
        return false;
    }
}
