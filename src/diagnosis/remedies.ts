/** Words of an app's log, and what to do about them. */
const remedies: readonly (readonly [words: RegExp, remedy: string])[] = [
  [
    // Postgres, and the poolers in front of it.
    /too many clients already|remaining connection slots are reserved|too many connections for (?:role|database)|no more connections allowed/i,
    "the database ran out of connections: use smaller pools or fewer workers, or raise its `max_connections`",
  ],
  [
    /rejected SSL upgrade|server does not support SSL|SSL was required|SSL is not enabled on the server/i,
    "the database that is started here has no TLS: let a variable decide whether the app requires it (`ssl`, `sslmode`), and set that in `app-env`",
  ],
  [
    /QueuePool limit|couldn't get a connection after|PoolTimeout|pool (?:is )?exhausted|TooManyConnections|MaxConnectionsError/i,
    "the app's pool is smaller than the load: raise its size, or send with fewer users (`vus`)",
  ],
  [
    /Exceeded concurrency limit/i,
    "`--limit-concurrency` is below the number of users: raise it in `server`, or send with fewer users (`vus`)",
  ],
  [
    /Maximum request limit of \d+ exceeded|Autorestarting worker after current request/,
    "the server ends its workers after some requests: leave out `--limit-max-requests` (`--max-requests`) here",
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
