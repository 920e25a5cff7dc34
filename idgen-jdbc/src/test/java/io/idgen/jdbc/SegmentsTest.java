package io.idgen.jdbc;

import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;

/** Runs the contract on each database, except on those whose repetition takes long. */
@ParameterizedClass
@EachDatabase(except = {TestDatabase.MARIADB_BY_MYSQL_DRIVER, TestDatabase.MYSQL_BY_MARIADB_DRIVER})
@Tag("databases")
@Tag("servers")
class SegmentsTest extends SegmentsContract {}
