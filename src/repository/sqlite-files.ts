/** True for the usual names of SQLite's files, and of the files that it writes next to them. */
export function isSqliteFile(name: string): boolean {
  return /\.(?:db|db3|sqlite|sqlite3)(?:-wal|-shm|-journal)?$/i.test(name);
}
