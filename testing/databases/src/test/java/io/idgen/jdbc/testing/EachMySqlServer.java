package io.idgen.jdbc.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** {@link EachDatabase} for MariaDB and MySQL, by each driver. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@EachDatabase({
    TestDatabase.MARIADB,
    TestDatabase.MARIADB_BY_MYSQL_DRIVER,
    TestDatabase.MYSQL,
    TestDatabase.MYSQL_BY_MARIADB_DRIVER
})
public @interface EachMySqlServer {}
