INSERT INTO warehouse (warehouse_id, name)
VALUES (1, 'north'), (2, 'south'), (3, 'harbour');
