/** Words of an app's log, and what to do about them. */
const remedies: readonly (readonly [words: RegExp, remedy: string])[] = [
  [
    // Postgres, and the poolers in front of it.
    /too many clients already|remaining connection slots are reserved|too many connections for (?:role|database)|no more connections allowed/i,
    "the database ran out of connections: use smaller pools or fewer workers, or raise its `max_connections`",
  ],
  [
    /rejected SSL upgrade|server does not support SSL|SSL was required|SSL is not enabled on the server/i,
    "the database started for the load test does not support TLS: make TLS (`ssl`, `sslmode`) optional in the app, and turn it off in `app-env`",
  ],
  [
    /QueuePool limit|couldn't get a connection after|PoolTimeout|pool (?:is )?exhausted|TooManyConnections|MaxConnectionsError/i,
    "the app's connection pool is too small for the load: enlarge it, or use fewer virtual users (`vus`)",
  ],
  [
    /Exceeded concurrency limit/i,
    "`--limit-concurrency` is below the number of virtual users: raise it in `server`, or use fewer virtual users (`vus`)",
  ],
  [
    /Maximum request limit of \d+ exceeded|Autorestarting worker after current request/,
    "the server restarts its workers after a number of requests: remove `--limit-max-requests` (`--max-requests`) from `server`",
  ],
  [
    /Too many open files|Errno 24\b/i,
    "the app has no file descriptors left: close what it opens, or raise `ulimit -n`",
  ],
];

/** Far more than a log's end has; the words are near the end of a traceback. */
const mostCharacters = 20_000;

/** A sentence with a remedy when a log has the words of a known problem. Empty otherwise. */
export function remedyIn(log: string): string {
  const end = log.slice(-mostCharacters);
  return remedies.find(([words]) => words.test(end))?.[1] ?? "";
}
