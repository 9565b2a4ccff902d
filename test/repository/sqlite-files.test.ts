import { expect, test } from "vitest";

import { isSqliteFile } from "../../src/model/workload/stores.ts";

test.for<readonly [isOne: boolean, names: readonly string[]]>([
  [true, ["app.db", "app.db3", "app.sqlite", "app.sqlite3", "APP.DB", "my.app.db", ".db"]],
  [true, ["app.db-wal", "app.db-shm", "app.sqlite3-journal"]],
  [false, ["db", "appdb", "app.db.py", "app.db2", "app.sqlite4", "app.sql", "app.db.bak"]],
  [false, ["app-wal", "app.db-wals", "app.db-backup", "app.db-wal-shm", ""]],
])("files of SQLite: %s for %j", ([isOne, names]) => {
  expect(names.filter((name) => isSqliteFile(name) !== isOne)).toEqual([]);
});
