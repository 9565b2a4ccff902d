-- The table of the ORM pair (target-app/reports/orm_sync.py and orm_async.py) with ten users, for an empty
-- database. The columns are those that the apps would make themselves; without this file they answer 404.

CREATE TABLE users (
    id     SERIAL PRIMARY KEY,
    name   VARCHAR,
    email  VARCHAR
);

INSERT INTO users (name, email)
SELECT 'user_' || n, 'user_' || n || '@example.com'
FROM generate_series(1, 10) AS n;

-- The plan must not depend on when autovacuum comes by.
ANALYZE users;
