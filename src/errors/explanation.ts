import { printable, printableLines } from "../text/printable.ts";
import { Cancelled, EnvironmentError, InputError, messageOf } from "./errors.ts";
import { exitStatus } from "./exit-status.ts";
import { machineFault } from "./machine-fault.ts";

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
  const where = error instanceof Error ? error.stack : messageOf(error);
  return { text: `This is a fault of ours, please report it:\n${where}\n`, status: exitStatus.ourFault };
}

/** True for the error that `await using` makes. It has this name even when the runtime lacks the class. */
function isSuppressedError(
  error: unknown,
): error is { readonly error: unknown; readonly suppressed: unknown } {
  return (
    error instanceof Error && error.name === "SuppressedError" && "error" in error && "suppressed" in error
  );
}
