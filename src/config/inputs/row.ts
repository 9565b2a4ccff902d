import type * as z from "zod";
import type { Value } from "../file/value-kinds.ts";

/** The verbs of the command line, which take inputs. `announce` also takes back its announcement. */
export type InputVerb = "run" | "plan" | "measure" | "check" | "report" | "announce" | "post" | "trends";

export const measuring = ["run", "plan", "measure", "check"] as const;
export const reporting = ["run", "plan", "measure", "report"] as const;

export interface Form {
  readonly schema: z.ZodType;
  readonly example: string;
  /** The value as it would be typed; absent: one line for each item. */
  readonly typed?: (value: Value) => Value;
}

/** One input. Everything else about inputs is derived from these rows, or written by `npm run fix`. */
export interface InputRow {
  /** At most 30 words: editors, the Marketplace and `--help` show it in a line. */
  readonly description: string;
  /** More sentences, for docs/configuration.md alone. */
  readonly details?: string;
  /** Text as it would be typed; absent: the input is not set. */
  readonly fallback?: string;
  /** True when its option may be given several times, once for each line. */
  readonly isList?: true;
  /** Turns text into a typed value, or into a sentence with a right one. */
  readonly reader: z.ZodType;
  /** Absent: only its caller can set it, as an input or an option. */
  readonly form?: Form;
  /** True: only in `settings`. The file comes with the pull request, and has no say in this. */
  readonly isOfCaller?: true;
  /** True when its value must never be repeated in a message. */
  readonly isSecret?: true;
  /** Absent: those that measure. */
  readonly verbs?: readonly InputVerb[];
  /** Set for an input under `with:`. `action`: the action has it, but the reusable workflow does not. */
  readonly door?: "action" | "both";
  /** Why the command line has no such option, as the end of a sentence; absent: it has one. */
  readonly noOption?: string;
  /** Replacement in a workflow for an input that has no door and no form. */
  readonly instead?: string;
}

export function readersOf<R extends Readonly<Record<string, InputRow>>>(
  rows: R,
): { [N in keyof R]: R[N]["reader"] };
export function readersOf(rows: Readonly<Record<string, InputRow>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(rows).map(([name, { reader }]) => [name, reader]));
}
