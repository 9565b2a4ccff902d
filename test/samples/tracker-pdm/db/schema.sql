CREATE TABLE issue (
    issue_id integer PRIMARY KEY,
    is_closed boolean NOT NULL
);
