import { printable, printableLines } from "../text/printable.ts";
import { Cancelled, EnvironmentError, exitStatus, InputError, messageOf } from "./errors.ts";

/** The last words of a command that failed, and its exit status. */
export interface Explanation {
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
  EAFNOSUPPORT: "this machine has no such kind of address",
  ENETUNREACH: "this machine has no way to that address",
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
    return `Postgres could not go on (${code}: ${messageOf(error)})`;
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  return meaning === undefined ? undefined : `${meaning} (${messageOf(error)})`;
}
