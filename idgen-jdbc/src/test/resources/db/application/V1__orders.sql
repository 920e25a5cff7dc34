-- the application's own migration, beside which idgen's run
CREATE TABLE orders (
    id BIGINT NOT NULL PRIMARY KEY
);
