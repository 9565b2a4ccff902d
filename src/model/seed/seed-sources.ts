/** Statements that read from outside the seed files: files and programs of the server, other servers. */
const outside =
  /\bcopy\b[^;]*?\bfrom\s+(?:program\b|e?'|\$)|\b(?:pg_read_(?:binary_)?file|pg_ls_\w+|pg_stat_file|lo_import)\b|\b(?:dblink|file_fdw|postgres_fdw)\b/i;

/** True when the same seed files may give other rows another day, because they read from elsewhere. */
export function readsElsewhere(texts: readonly string[]): boolean {
  return texts.some((text) => outside.test(text));
}
