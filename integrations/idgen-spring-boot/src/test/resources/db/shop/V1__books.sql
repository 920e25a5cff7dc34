CREATE TABLE book (id bigint PRIMARY KEY, title varchar(255));
