/** An application with Spring Data JPA whose entities receive their ids in the constructor. */
@NullMarked
package io.idgen.spring.boot.invoices;

import org.jspecify.annotations.NullMarked;
