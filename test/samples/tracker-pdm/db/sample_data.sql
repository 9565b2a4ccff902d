INSERT INTO issue (issue_id, is_closed) SELECT n, n % 3 = 0 FROM generate_series(1, 300) AS n;
