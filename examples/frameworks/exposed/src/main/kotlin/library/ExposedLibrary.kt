package library

import io.idgen.core.config.IdSources
import javax.sql.DataSource
import org.h2.jdbcx.JdbcDataSource
import org.jetbrains.exposed.v1.core.dao.id.EntityID
import org.jetbrains.exposed.v1.core.dao.id.IdTable
import org.jetbrains.exposed.v1.dao.LongEntity
import org.jetbrains.exposed.v1.dao.LongEntityClass
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.SchemaUtils
import org.jetbrains.exposed.v1.jdbc.insert
import org.jetbrains.exposed.v1.jdbc.transactions.transaction

lateinit var ids: IdSources

object Books : IdTable<Long>("book") {
    override val id = long("id").clientDefault { ids.get("books").nextId() }.entityId()
    override val primaryKey = PrimaryKey(id)
    val title = varchar("title", 100)
}

class Book(id: EntityID<Long>) : LongEntity(id) {
    companion object : LongEntityClass<Book>(Books)

    var title by Books.title
}

fun main() {
    val database = JdbcDataSource().apply { setURL("jdbc:h2:./target/library;AUTO_SERVER=TRUE") }
    ids = IdSources.builder()
        .resource(DataSource::class.java, database)
        .set("idgen.jdbc.initialize-schema", "always")
        .source("books")
        .build()
    ids.use {
        transaction(Database.connect(database)) {
            SchemaUtils.create(Books)
            val book = Book.new { title = "Middlemarch" }
            println("the entity is book ${book.id}")
            val inserted = Books.insert { it[title] = "Emma" }
            println("inserted book ${inserted[Books.id]}")
        }
    }
}
