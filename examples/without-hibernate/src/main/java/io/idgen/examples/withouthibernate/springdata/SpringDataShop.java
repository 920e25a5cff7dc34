package io.idgen.examples.withouthibernate.springdata;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with Spring Data JDBC. */
@SpringBootApplication(excludeName = "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration")
public class SpringDataShop {
    /** Called by Spring. */
    public SpringDataShop() {}
}
