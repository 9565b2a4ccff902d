CREATE EXTENSION citext;
CREATE EXTENSION hstore WITH SCHEMA public;
CREATE SCHEMA "Odd Schema";
CREATE TYPE mood AS ENUM ('calm', 'it''s rough');
CREATE TYPE place AS (x DOUBLE PRECISION, name TEXT);
CREATE DOMAIN knots AS NUMERIC(5, 2) CHECK (VALUE >= 0);
CREATE COLLATION plain_order FROM "C";

CREATE TABLE everything (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    a_serial SERIAL, a_small SMALLINT, an_integer INT, a_numeric NUMERIC, a_real REAL, a_double DOUBLE PRECISION,
    some_money MONEY, a_char CHAR(5), a_varchar VARCHAR(20) COLLATE plain_order, a_text TEXT, some_bytes BYTEA,
    a_boolean BOOLEAN NOT NULL DEFAULT true, a_date DATE, a_time TIME, a_timetz TIMETZ, a_timestamp TIMESTAMP,
    a_timestamptz TIMESTAMPTZ DEFAULT '2026-01-31 12:00:00+00', an_interval INTERVAL, a_uuid UUID, a_json JSON,
    a_jsonb JSONB, some_ints INT[], some_texts TEXT[][], a_mood mood, a_place place, some_knots knots,
    a_citext CITEXT, an_hstore HSTORE, an_inet INET, a_cidr CIDR, a_mac MACADDR, a_mac8 MACADDR8, a_bit BIT(4),
    a_varbit VARBIT, a_point POINT, a_line LINE, a_lseg LSEG, a_box BOX, a_path PATH, a_polygon POLYGON,
    a_circle CIRCLE, a_vector TSVECTOR, a_query TSQUERY, a_range INT4RANGE, a_tsrange TSTZRANGE,
    a_multirange NUMMULTIRANGE, an_lsn PG_LSN, twice INT GENERATED ALWAYS AS (an_integer * 2) STORED
);
INSERT INTO everything (a_small, an_integer, a_numeric, a_real, a_double, some_money, a_char, a_varchar, a_text,
    some_bytes, a_date, a_time, a_timetz, a_timestamp, an_interval, a_uuid, a_json, a_jsonb, some_ints, some_texts,
    a_mood, a_place, some_knots, a_citext, an_hstore, an_inet, a_cidr, a_mac, a_mac8, a_bit, a_varbit, a_point, a_line,
    a_lseg, a_box, a_path, a_polygon, a_circle, a_vector, a_query, a_range, a_tsrange, a_multirange, an_lsn)
VALUES (-32768, 1073741823, 'NaN', '-Infinity', 1e-300, 12.34, 'ab', 'é', E'tab\there, line\nbreak, \\ back, \r, \\.',
    '\xdeadbeef00', '4713-01-01 BC', '24:00', '12:00+05:30', 'infinity', '1 year -2 days 03:04:05.6',
    '3fa85f64-5717-4562-b3fc-2c963f66afa6', '{"a" :  [1,null]}', '{"b": "\u00e9\t"}', '{1,NULL,3}',
    '{{"a,b","c\"d"},{NULL,"NULL"}}', 'it''s rough', '(1.5,"a ""name""")', 12.5, 'CaSe', '"a b"=>NULL,c=>"d\\e"',
    '192.0.2.1/24', '2001:db8::/32', '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05', '1010', '101', '(1,2)', '{1,2,3}',
    '[(0,0),(1,1)]', '(1,1),(0,0)', '[(0,0),(1,1)]', '((0,0),(1,1),(1,0))', '<(1,2),3>', 'a fat cat', 'fat & (rat | !cat)',
    '[1,10)', '[2026-01-01,)', '{[1,2),[5,)}', '16/B374D848');
INSERT INTO everything (a_text, a_boolean) VALUES (NULL, false), ('', true), ('\.', true), (E'\\N', true), ('😀; -- "$$', true);

CREATE TABLE "Odd Schema"."it's ""a"" table; --" ("a column" INT, "sélect" TEXT);
INSERT INTO "Odd Schema"."it's ""a"" table; --" SELECT n, repeat('x', n % 50) FROM generate_series(1, 20000) n;
CREATE TABLE parts (id INT, day DATE NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE parts_2026 PARTITION OF parts FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE TABLE parts_rest PARTITION OF parts DEFAULT;
INSERT INTO parts VALUES (1, '2026-05-05'), (2, '1999-01-01');
CREATE TABLE parent (id INT PRIMARY KEY, up INT REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE child (extra TEXT) INHERITS (parent);
CREATE UNLOGGED TABLE quick (id INT);
CREATE SEQUENCE steps START 7 INCREMENT 3 CYCLE MAXVALUE 100;
SELECT nextval('steps'), nextval('steps');

CREATE FUNCTION bump() RETURNS TRIGGER LANGUAGE plpgsql AS $fn$
BEGIN
    NEW.extra := coalesce(NEW.extra, 'a;b');
    RETURN NEW;
END $fn$;
CREATE TRIGGER bumped BEFORE INSERT ON child FOR EACH ROW EXECUTE FUNCTION bump();
CREATE FUNCTION doubled(n INT) RETURNS INT LANGUAGE SQL
BEGIN ATOMIC
    SELECT CASE WHEN n > 0 THEN n * 2 ELSE 0 END;
END;
CREATE PROCEDURE tidy() LANGUAGE SQL AS 'DELETE FROM quick; DELETE FROM child';
CREATE AGGREGATE product(INT) (SFUNC = int4mul, STYPE = INT);
CREATE OPERATOR === (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = texteq);
CREATE VIEW calm AS SELECT id, a_text FROM everything WHERE a_mood = 'calm';
CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM everything;
CREATE RULE quick_too AS ON INSERT TO parent DO ALSO (INSERT INTO quick VALUES (NEW.id); INSERT INTO quick VALUES (0));
CREATE INDEX everything_lower ON everything (lower(a_text)) WHERE a_boolean;
CREATE INDEX everything_json ON everything USING gin (a_jsonb);
ALTER TABLE parent ADD CONSTRAINT no_overlap EXCLUDE USING btree (id WITH =);
CREATE STATISTICS shape (dependencies) ON an_integer, a_small FROM everything;
ALTER TABLE everything ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON everything FOR SELECT USING (a_text <> ' TO nobody');
COMMENT ON TABLE everything IS 'It''s all; -- here' ;
COMMENT ON COLUMN everything.id IS E'two\nlines';
SELECT lo_from_bytea(4711, '\x0102ff');
INSERT INTO parent VALUES (2, 1), (1, NULL);
