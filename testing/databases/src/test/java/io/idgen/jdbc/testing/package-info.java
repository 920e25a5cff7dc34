/** New, empty databases for the tests of all modules. */
package io.idgen.jdbc.testing;
