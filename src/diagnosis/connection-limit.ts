/** Words in which Postgres, and the poolers in front of it, refuse further connections. */
const refusals =
  /too many clients already|remaining connection slots are reserved|too many connections for (?:role|database)|no more connections allowed/i;

/** Far more than a log's end has; the words are near the end of a traceback. */
const mostCharacters = 20_000;

/**
 * A sentence when an app's log says that its database had no connection left. Such an app does not start, or answers
 * with errors, and few would suspect its pool. Empty otherwise.
 */
export function connectionLimitHint(log: string): string {
  return refusals.test(log.slice(-mostCharacters))
    ? "the database ran out of connections: use smaller pools or fewer workers, or raise its `max_connections`"
    : "";
}
