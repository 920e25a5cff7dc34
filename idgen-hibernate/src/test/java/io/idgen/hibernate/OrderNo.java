package io.idgen.hibernate;

import java.io.Serializable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Objects;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.hibernate.usertype.EnhancedUserType;

/** An id type of the application, and two ways to map it with Hibernate. */
record OrderNo(long number) implements Serializable {

    /** A user type with the methods of Hibernate 6.6, and with those of newer versions. */
    @SuppressWarnings("removal")
    static class AsUserType implements EnhancedUserType<OrderNo> {
        @Override
        public int getSqlType() {
            return Types.BIGINT;
        }

        @Override
        public Class<OrderNo> returnedClass() {
            return OrderNo.class;
        }

        public boolean equals(OrderNo one, OrderNo other) {
            return Objects.equals(one, other);
        }

        public int hashCode(OrderNo id) {
            return Objects.hashCode(id);
        }

        public OrderNo nullSafeGet(ResultSet rows, int position, SharedSessionContractImplementor session, Object owner)
                throws SQLException {
            return read(rows, position);
        }

        public OrderNo nullSafeGet(ResultSet rows, int position, WrapperOptions options) throws SQLException {
            return read(rows, position);
        }

        private static OrderNo read(ResultSet rows, int position) throws SQLException {
            long number = rows.getLong(position);
            return rows.wasNull() ? null : new OrderNo(number);
        }

        public void nullSafeSet(
                PreparedStatement statement, OrderNo id, int position, SharedSessionContractImplementor session)
                throws SQLException {
            statement.setObject(position, id == null ? null : id.number(), Types.BIGINT);
        }

        public void nullSafeSet(PreparedStatement statement, OrderNo id, int position, WrapperOptions options)
                throws SQLException {
            statement.setObject(position, id == null ? null : id.number(), Types.BIGINT);
        }

        @Override
        public String toSqlLiteral(OrderNo id) {
            return toString(id);
        }

        @Override
        public String toString(OrderNo id) {
            return Long.toString(id.number());
        }

        @Override
        public OrderNo fromStringValue(CharSequence text) {
            return new OrderNo(Long.parseLong(text.toString()));
        }

        @Override
        public OrderNo deepCopy(OrderNo id) {
            return id;
        }

        @Override
        public boolean isMutable() {
            return false;
        }

        public Serializable disassemble(OrderNo id) {
            return id;
        }

        public OrderNo assemble(Serializable cached, Object owner) {
            return (OrderNo) cached;
        }
    }

    /** A Java type over a BIGINT column. */
    static class AsJavaType extends AbstractClassJavaType<OrderNo> {
        private static final long serialVersionUID = 1L;

        AsJavaType() {
            super(OrderNo.class);
        }

        @Override
        public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
            return indicators.getJdbcType(Types.BIGINT);
        }

        @Override
        public OrderNo fromString(CharSequence text) {
            return new OrderNo(Long.parseLong(text.toString()));
        }

        @Override
        public <X> X unwrap(OrderNo id, Class<X> type, WrapperOptions options) {
            return id == null ? null : type.cast(type.isInstance(id) ? id : id.number());
        }

        @Override
        public <X> OrderNo wrap(X value, WrapperOptions options) {
            return value instanceof Number number ? new OrderNo(number.longValue()) : (OrderNo) value;
        }
    }
}
