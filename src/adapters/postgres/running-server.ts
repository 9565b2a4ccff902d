import { EnvironmentError, type FailurePhase } from "../../errors/errors.ts";
import { serverWords, withoutPassword } from "./session.ts";

/** Older ones lack features that the counting of statements needs. */
export const oldestMajor = 14;

export interface DatabaseServerOptions {
  /** Existing folder of the caller. Logs go below it, and the data, too, where the server can reach it. */
  readonly workFolder: string;
  readonly toolsFolder: string;
  /** Ends every wait. All that was started is stopped and all that was made is removed. */
  readonly signal: AbortSignal;
  readonly onStep: (text: string) => void;
  /** CPUs that a private server may use, as a Linux list; `undefined`: all. */
  readonly cpus?: string | undefined;
  /** Data that took fewer seconds to seed are not kept for the next run; default 5. */
  readonly keepSeedsFromSeconds?: number;
  /** Called when seeded data were kept for the next run. */
  readonly onKept?: () => Promise<void>;
  /** Called with the password of a private server before a command, or the app, can print it. */
  readonly hidePassword?: (password: string) => Promise<void>;
  /** `npm` leaves out the binaries that the machine has. */
  readonly binaries?: "machine or npm" | "npm";
}

export interface RunningPostgres extends AsyncDisposable {
  readonly isPrivate: boolean;
  /** URL of a database that exists already. Holds the password. Read it anew for each session. */
  readonly url: string;
  /** The same for the app: by an ordinary user where `url` has a superuser. */
  readonly appUrl: string;
  /** The ordinary user, who owns the app's databases; `undefined` when the app connects as `url` does. */
  readonly owner: string | undefined;
  /** e.g. `18.4` */
  readonly version: string;
  /** Connections that ordinary users may open at once; `undefined` for our own server, which has room for two arms. */
  readonly maxConnections: number | undefined;
  /** CPU time of all its processes so far; `undefined` for the caller's server, or without procfs. */
  cpuSeconds(): number | undefined;
  /** A template of this key that was there from the start, or `undefined`. */
  seeded(key: string): string | undefined;
  /** Keeps a template for the runs to come. The server is started anew for it, at another `url`. */
  keep(key: string, template: { readonly name: string; readonly seedSeconds: number }): Promise<void>;
  /** Seeding may use every CPU; from now on only those in the options. */
  settle(): Promise<void>;
  /** End of the server's own log; empty when we may not read it. */
  logTail(): Promise<string>;
}

/** `doing` with the server's words as an `EnvironmentError`; aborts and complete errors stay as they are. */
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
