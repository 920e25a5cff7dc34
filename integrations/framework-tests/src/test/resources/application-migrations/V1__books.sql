CREATE TABLE book (id bigint PRIMARY KEY, title varchar(255));
CREATE TABLE page (id bigint PRIMARY KEY, page_number integer NOT NULL, book_id bigint REFERENCES book);
