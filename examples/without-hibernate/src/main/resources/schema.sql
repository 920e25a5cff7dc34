CREATE TABLE IF NOT EXISTS customer_order (
    id       BIGINT       NOT NULL PRIMARY KEY,
    customer VARCHAR(100) NOT NULL
);
CREATE TABLE IF NOT EXISTS order_line (
    id             BIGINT       NOT NULL PRIMARY KEY,
    customer_order BIGINT       NOT NULL REFERENCES customer_order (id),
    product        VARCHAR(100) NOT NULL,
    quantity       INTEGER      NOT NULL CHECK (quantity > 0)
);
