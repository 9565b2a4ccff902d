import { EnvironmentError, type FailurePhase } from "../../errors/errors.ts";
import { serverWords, withoutPassword } from "./session.ts";

/** Older ones lack what the counting of statements relies on. */
export const oldestMajor = 14;

export interface DatabaseServerOptions {
  /** Existing folder of the caller's; logs and, where the server can reach it, the data go below it. */
  readonly workFolder: string;
  /** Where downloaded binaries and seeded data are kept for the next run. */
  readonly toolsFolder: string;
  /** Ends every wait. What was started is stopped and what was made is removed. */
  readonly signal: AbortSignal;
  readonly onStep: (text: string) => void;
  /** CPUs that a private server may use, as Linux writes lists; `undefined`: all. */
  readonly cpus?: string | undefined;
  /** What a private server was seeded with in fewer seconds is not kept for the next run; default 5. */
  readonly keepSeedsFromSeconds?: number;
  /** Told when seeded data were kept for the next run. */
  readonly onKept?: () => Promise<void>;
  /** `npm` leaves out the binaries that the machine has. */
  readonly binaries?: "machine or npm" | "npm";
}

/** A server that accepts connections, ours or the caller's. */
export interface RunningPostgres extends AsyncDisposable {
  readonly isPrivate: boolean;
  /** Of a database that exists already. Holds the password. Read it anew for each session. */
  readonly url: string;
  /** e.g. `18.4` */
  readonly version: string;
  /** That ordinary users may open at once; `undefined` where the server is ours, which takes what two arms may need. */
  readonly maxConnections: number | undefined;
  /** Of all its processes so far; `undefined` where it is not ours, or there is no procfs. */
  cpuSeconds(): number | undefined;
  /** A template of this key that was there from the start, or `undefined`. */
  seeded(key: string): string | undefined;
  /** Keeps a template for the runs to come. The server is started anew for it, at another `url`. */
  keep(key: string, template: { readonly name: string; readonly seedSeconds: number }): Promise<void>;
  /** Seeding may use every CPU; from now on only those that the options name. */
  settle(): Promise<void>;
  /** End of the server's own log, where it is ours to read; else empty. */
  logTail(): Promise<string>;
}

/**
 * What to throw when something on the server failed: `doing` with the server's words, in an `EnvironmentError`. An
 * abort, or an error that says it all already, stays what it is.
 */
export async function failureOf(
  error: unknown,
  {
    phase,
    doing,
    server,
    signal,
  }: {
    readonly phase: FailurePhase;
    readonly doing: string;
    readonly server: RunningPostgres;
    readonly signal?: AbortSignal;
  },
): Promise<unknown> {
  if (signal?.aborted || error instanceof EnvironmentError) return error;
  const logTail = withoutPassword(await server.logTail(), server.url);
  return new EnvironmentError(phase, `${doing}: ${serverWords(error, server.url)}`, { logTail });
}
