package io.idgen.hibernate.internal;

import io.idgen.core.config.SourceBinder;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.boot.model.relational.internal.SqlStringGenerationContextImpl;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.Value;
import org.hibernate.models.spi.MemberDetails;
import org.jspecify.annotations.Nullable;

/**
 * An attribute whose values idgen generates, as far as its mapping is known when Hibernate creates the generator.
 *
 * @param entities the names of the root entity, first its JPA name; for an attribute of an embeddable, the name of the
 *     declaring class
 * @param source the default name of its source
 * @param name the name of the attribute
 * @param type the Java type
 * @param columns the columns of its values, each with its table; empty if Hibernate does not know them
 * @param isKey whether each of these columns alone is the primary key of its table
 */
record Attribute(List<String> entities, String source, String name, Class<?> type, Set<String> columns, boolean isKey) {

    /** Returns the annotated member. For Hibernate 7.3 and later, which has no details for an embeddable. */
    static Member member(GeneratorCreationContext context) {
        MemberDetails details = context.getMemberDetails();
        if (details != null) {
            return details.toJavaMember();
        }
        Property property = context.getProperty();
        PersistentClass owner = context.getPersistentClass();
        Class<?> declaring = property != owner.getIdentifierProperty() && owner.getIdentifier() instanceof Component id
                ? id.getComponentClass()
                : owner.getMappedClass();
        return property.getGetter(declaring).getMember();
    }

    /** Returns the property of a member. In a composite id, Hibernate 6.6 passes the id, or null for an id class. */
    static Property property(Member member, GeneratorCreationContext context) {
        Property property = context.getProperty();
        PersistentClass owner = context.getPersistentClass();
        String name = propertyName(member);
        return (property == null || !property.getName().equals(name))
                        && owner != null
                        && owner.getIdentifier() instanceof Component id
                        && id.hasProperty(name)
                ? id.getProperty(name)
                : property;
    }

    /** Creates the attribute from Hibernate's mapping. */
    static Attribute of(Member member, Property property, GeneratorCreationContext context, boolean isId) {
        PersistentClass owner = context.getPersistentClass();
        List<String> entities = owner == null
                ? List.of(member.getDeclaringClass().getSimpleName())
                : List.of(
                        owner.getRootClass().getJpaEntityName(),
                        owner.getRootClass().getEntityName());
        if (property.getValue().hasFormula()) {
            throw MappingCheck.refusal(
                    entities.get(0) + "." + property.getName(),
                    "a formula, which has no column for a value; remove the annotation");
        }
        Class<?> type = member instanceof Method getter ? getter.getReturnType() : ((Field) member).getType();
        if ((member instanceof Method getter ? getter.getGenericReturnType() : ((Field) member).getGenericType())
                instanceof TypeVariable) {
            type = property.getType().getReturnedClass(); // the mapping has the type that an entity gives it
        }
        return new Attribute(
                entities,
                source(owner, property, context, isId).orElse(entities.get(0)),
                propertyName(member),
                type,
                columns(owner, property, context, isId),
                isId && owner != null && owner.getRootClass().getIdentifier().getColumnSpan() == 1);
    }

    /** Returns the attribute name of a field or a getter. */
    static String propertyName(Member member) {
        String name = member.getName();
        if (member instanceof Method && name.startsWith("get") && name.length() > 3) {
            boolean isAcronym = name.length() > 4 && Character.isUpperCase(name.charAt(4)); // getURL is the URL
            return isAcronym ? name.substring(3) : Character.toLowerCase(name.charAt(3)) + name.substring(4);
        }
        return name;
    }

    /**
     * Returns the default name of the source: the table, and the column if it is not an id. The table is that of the
     * root of a hierarchy, also if the root is abstract and each subclass has a table: then it is the table that the
     * root would have. Empty for a mapped query, which has no table.
     */
    private static Optional<String> source(
            @Nullable PersistentClass owner, Property property, GeneratorCreationContext context, boolean isId) {
        if (isId && owner != null) {
            return nameOf(owner.getRootClass().getTable(), context);
        }
        Value value = property.getValue();
        Optional<String> table = nameOf(value.getTable(), context);
        return isId
                ? table
                : value.getColumns().stream()
                        .findFirst()
                        .flatMap(column -> table.map(name -> name + "." + SourceBinder.nameOf(column.getName())));
    }

    private static Optional<String> nameOf(@Nullable Table table, GeneratorCreationContext context) {
        if (table == null || table.getName() == null) {
            return Optional.empty();
        }
        String qualified = Stream.of(table.getCatalog(), table.getSchema(), table.getName())
                .filter(Objects::nonNull)
                .collect(Collectors.joining("."));
        Map<String, Object> settings = settings(context);
        // not the context, which has other defaults in Hibernate 6.6: the name must survive an upgrade
        return Optional.of(SourceBinder.nameOf(
                qualified,
                Objects.toString(settings.get(MappingSettings.DEFAULT_CATALOG), ""),
                Objects.toString(settings.get(MappingSettings.DEFAULT_SCHEMA), "")));
    }

    /** Returns the columns. An id is in the tables of all subclasses that have their own table. */
    private static Set<String> columns(
            @Nullable PersistentClass owner, Property property, GeneratorCreationContext context, boolean isId) {
        if (property.getColumns().size() != 1) {
            return Set.of();
        }
        Set<Table> tables = isId && owner != null
                ? owner.getRootClass().getIdentityTables()
                : Set.of(Objects.requireNonNull(property.getValue().getTable()));
        SqlStringGenerationContext sql = SqlStringGenerationContextImpl.fromConfigurationMap(
                context.getServiceRegistry().requireService(JdbcEnvironment.class),
                context.getDatabase(),
                settings(context));
        String column =
                property.getColumns().get(0).getQuotedName(context.getDatabase().getDialect());
        return tables.stream()
                .filter(Table::isPhysicalTable) // no mapped view or subselect
                .map(table -> table.getQualifiedName(sql) + "." + column)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Map<String, Object> settings(GeneratorCreationContext context) {
        return context.getServiceRegistry()
                .requireService(ConfigurationService.class)
                .getSettings();
    }

    /** Returns the name that messages use. */
    @Override
    public String toString() {
        return entities.get(0) + "." + name;
    }
}
