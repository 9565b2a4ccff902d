/** How Postgres, and the poolers before it, say that they take no more connections. */
const refusals =
  /too many clients already|remaining connection slots are reserved|too many connections for (?:role|database)|no more connections allowed/i;

/** Far more than a log's end has; the words are near the end of a traceback. */
const mostCharacters = 20_000;

/**
 * A sentence when an app's log says that its database had no connection left: such an app does not start, or answers
 * with errors, and nobody looks for that in its pool. Empty otherwise.
 */
export function connectionLimitHint(log: string): string {
  return refusals.test(log.slice(-mostCharacters))
    ? "the database had no connection left: all workers' pools together ask for more than it allows; take smaller pools or fewer workers, or raise its `max_connections`"
    : "";
}
