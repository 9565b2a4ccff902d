import { EnvironmentError, type Phase } from "../core/errors.ts";
import { serverWords, withoutPassword } from "./postgres-session.ts";

/** Older ones lack what the counting of statements relies on. */
export const oldestMajor = 14;

export interface DatabaseServerOptions {
  /** Existing folder of the caller's; logs and, where the server can reach it, the data go below it. */
  readonly workFolder: string;
  /** Where downloaded binaries are kept for the next run. */
  readonly toolsFolder: string;
  /** Ends every wait. What was started is stopped and what was made is removed. */
  readonly signal: AbortSignal;
  readonly onStep: (text: string) => void;
  /** CPUs that a private server may use, as Linux writes lists; `undefined`: all. */
  readonly cpus?: string | undefined;
  /** `npm` leaves out the binaries that the machine has. */
  readonly binaries?: "machine or npm" | "npm";
}

/** A server that accepts connections, ours or the caller's. */
export interface RunningPostgres extends AsyncDisposable {
  readonly isPrivate: boolean;
  /** Of a database that exists already. Holds the password. */
  readonly url: string;
  /** e.g. `18.4` */
  readonly version: string;
  /** Of all its processes so far; `undefined` where it is not ours, or there is no procfs. */
  cpuSeconds(): number | undefined;
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
    readonly phase: Phase;
    readonly doing: string;
    readonly server: RunningPostgres;
    readonly signal?: AbortSignal;
  },
): Promise<unknown> {
  if (signal?.aborted || error instanceof EnvironmentError) return error;
  const logTail = withoutPassword(await server.logTail(), server.url);
  return new EnvironmentError(phase, `${doing}: ${serverWords(error, server.url)}`, { logTail });
}
