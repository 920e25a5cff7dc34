package io.idgen.jdbc;

import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;

/** Runs the contract on the databases that need the longest time, and through the other driver. */
@ParameterizedClass
@EachDatabase({TestDatabase.MARIADB_BY_MYSQL_DRIVER, TestDatabase.MYSQL_BY_MARIADB_DRIVER})
@Tag("nightly")
class SegmentsOnFurtherDatabasesTest extends SegmentsContract {}
