import { printable, printableLines } from "../text/visible.ts";

/** The step that was under way when something failed. Shown to the user, so plain words. */
export const phases = [
  "install",
  "start postgres",
  "seed",
  "copy database",
  "start app",
  "log in",
  "dry request",
  "warm up",
  "load",
  "read results",
  "write results",
] as const;

export type FailurePhase = (typeof phases)[number];

/** The caller gave unusable input. Lists every problem, so one failed run is enough to fix them all. Exit status 2. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid input:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** The same error with the app's name before each problem: nothing else distinguishes several apps. */
export function namingApp(error: unknown, app: string): unknown {
  if (!(error instanceof InputError)) return error;
  return new InputError(error.problems.map((problem) => `${app}: ${problem}`));
}

/** What failed, where the program itself does something about it. */
export type FailureDetail =
  /** A command of the configuration; stopped: a sentence about one that took too long. */
  | { readonly kind: "command"; readonly input: string; readonly stopped?: string }
  | { readonly kind: "missing program"; readonly program: string }
  | { readonly kind: "exit" }
  | { readonly kind: "failing page" }
  /** The app has no OpenAPI document. */
  | { readonly kind: "no document" }
  | { readonly kind: "slow start" }
  /** The app opened a database, broker or store of somebody else. */
  | { readonly kind: "other store" }
  /** A process other than the app's server has ended. */
  | { readonly kind: "process"; readonly name: string };

/** Something outside failed: exit status 3. `logTail` is foreign: only escaping code prints it. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
  readonly phase: FailurePhase;
  readonly logTail: string;
  readonly detail: FailureDetail | undefined;

  constructor(
    phase: FailurePhase,
    message: string,
    options: { readonly logTail?: string; readonly cause?: unknown; readonly detail?: FailureDetail } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.phase = phase;
    this.logTail = options.logTail ?? "";
    this.detail = options.detail;
  }
}

/** True where an app opened what is somebody else's: nothing of it may go on. */
export function isOtherStore(error: unknown): boolean {
  return error instanceof EnvironmentError && error.detail?.kind === "other store";
}

/** Thrown when somebody cancels the run. Pending work, such as a child process, rejects with it, too. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
  readonly status: number;

  constructor(status: number) {
    super("cancelled");
    this.status = status;
  }
}

/** Message of a thrown value, for one line of text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const exitStatus = {
  fine: 0,
  /** A threshold was broken, or an endpoint got slower by as much as the check forbids. */
  forbidden: 1,
  badInput: 2,
  /** The app, its database or k6 could not run, or the machine could not. */
  environmentFailed: 3,
  ourFault: 4,
} as const;

/** The last words of a command that failed, and its exit status. */
interface Explanation {
  readonly text: string;
  readonly status: number;
}

/** Explains an error. Foreign words in the text are made harmless to the terminal. */
export function explain(error: unknown): Explanation {
  // Cleaning up failed, too. The first error is the one that the user must know, and it decides the exit status.
  if (isSuppressedError(error)) {
    const { text, status } = explain(error.suppressed);
    return { text: `While cleaning up: ${printableLines(messageOf(error.error))}\n${text}`, status };
  }
  if (error instanceof Cancelled) return { text: "", status: error.status };
  if (error instanceof InputError)
    return { text: `${printableLines(error.message)}\n`, status: exitStatus.badInput };
  if (error instanceof EnvironmentError) {
    const text = `${error.phase}: ${printable(error.message)}\n${printableLines(error.logTail)}\n`;
    return { text, status: exitStatus.environmentFailed };
  }
  const fault = machineFault(error);
  if (fault !== undefined) return { text: `${printable(fault)}\n`, status: exitStatus.environmentFailed };
  const where = (error instanceof Error ? error.stack : undefined) ?? messageOf(error);
  const text = `Internal error, please report it:\n${printableLines(where)}\n`;
  return { text, status: exitStatus.ourFault };
}

/** True for the error that `await using` makes. It has this name even when the runtime lacks the class. */
function isSuppressedError(
  error: unknown,
): error is { readonly error: unknown; readonly suppressed: unknown } {
  return (
    error instanceof Error && error.name === "SuppressedError" && "error" in error && "suppressed" in error
  );
}

/** Meanings of the system's own error codes. */
const meanings: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is too large for this file system",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EIO: "disk I/O error",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this machine",
  ENOMEM: "out of memory",
  EAGAIN: "no more processes can be started",
  EADDRNOTAVAIL: "this machine has no such address: is its loopback interface up?",
  EAFNOSUPPORT: "this machine does not support this kind of address",
  ENETUNREACH: "this machine has no route to that address",
};

/** Classes of Postgres' errors that are about its machine: a lost connection, too little of something, a stop, a broken disk. */
const ofDatabaseServer = /^(?:08|53|57|58|XX)[0-9A-Z]{3}$/;

/** A sentence on the machine, when the machine is why something failed: not our fault, and not the app's. */
export function machineFault(error: unknown): string | undefined {
  // Without a working folder no path can be resolved.
  if (error instanceof Error && /\buv_cwd\b/.test(error.message))
    return "the working directory no longer exists; change to another one";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof Error && "severity" in error && ofDatabaseServer.test(code))
    return `Postgres could not continue (${code}: ${messageOf(error)})`;
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  return meaning === undefined ? undefined : `${meaning} (${messageOf(error)})`;
}
