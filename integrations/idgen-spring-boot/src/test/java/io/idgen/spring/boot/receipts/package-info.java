/** An application with Spring Data JDBC whose aggregates receive their ids in the constructor. */
@NullMarked
package io.idgen.spring.boot.receipts;

import org.jspecify.annotations.NullMarked;
