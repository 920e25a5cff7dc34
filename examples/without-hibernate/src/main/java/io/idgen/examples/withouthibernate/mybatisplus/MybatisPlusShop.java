package io.idgen.examples.withouthibernate.mybatisplus;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with MyBatis-Plus. */
@SpringBootApplication
public class MybatisPlusShop {
    /** Called by Spring. */
    public MybatisPlusShop() {}
}
