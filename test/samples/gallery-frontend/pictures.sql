CREATE TABLE picture (title text PRIMARY KEY);
INSERT INTO picture VALUES ('harbour'), ('orchard'), ('night');
