CREATE TABLE items (id integer PRIMARY KEY);
INSERT INTO items SELECT * FROM generate_series(100, 199);
CREATE TABLE orders (id serial PRIMARY KEY, item integer NOT NULL, quantity integer NOT NULL);
