package io.idgen.examples.contracts;

import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingParseValueException;
import graphql.schema.CoercingSerializeException;
import graphql.schema.GraphQLScalarType;
import io.idgen.text.PublicIds;
import java.util.Locale;

/** A scalar of GraphQL: a long in Java, and a public id in requests and responses. */
public final class PublicIdScalar implements Coercing<Long, String> {
    private final PublicIds publicIds;

    private PublicIdScalar(PublicIds publicIds) {
        this.publicIds = publicIds;
    }

    /**
     * Returns a scalar.
     *
     * @param name its name in the schema, for example {@code OrderId}
     * @param publicIds the keys, for example with the prefix {@code order}
     * @return a scalar for the wiring of the schema
     */
    public static GraphQLScalarType of(String name, PublicIds publicIds) {
        return GraphQLScalarType.newScalar()
                .name(name)
                .coercing(new PublicIdScalar(publicIds))
                .build();
    }

    @Override
    public String serialize(Object id, GraphQLContext context, Locale locale) {
        if (id instanceof Long number) {
            return publicIds.encode(number);
        }
        throw new CoercingSerializeException("expected a Long, got " + id.getClass());
    }

    @Override
    public Long parseValue(Object value, GraphQLContext context, Locale locale) {
        if (!(value instanceof String text)) {
            throw new CoercingParseValueException("expected a public id as a string, got " + value.getClass());
        }
        try {
            return publicIds.decode(text);
        } catch (IllegalArgumentException e) {
            throw new CoercingParseValueException(e.getMessage(), e);
        }
    }

    @Override
    public Long parseLiteral(Value<?> literal, CoercedVariables variables, GraphQLContext context, Locale locale) {
        String text = literal instanceof StringValue string ? string.getValue() : null;
        if (text == null) {
            throw new CoercingParseLiteralException("expected a public id as a string, got " + literal.getClass());
        }
        try {
            return publicIds.decode(text);
        } catch (IllegalArgumentException e) {
            throw new CoercingParseLiteralException(e.getMessage(), e);
        }
    }
}
