import type * as z from "zod";
import type { Value } from "../file/value-texts.ts";

/** What takes inputs: the verbs of the command line. `announce` also takes back what it said. */
export type InputVerb = "run" | "plan" | "measure" | "report" | "announce" | "post" | "trends";

export const measuring = ["run", "plan", "measure"] as const;
export const reporting = [...measuring, "report"] as const;

/** How an input is written in the configuration file, and in `settings`. */
export interface Form {
  readonly schema: z.ZodType;
  /** YAML of the whole entry. */
  readonly example: string;
  /** The value as it would be typed, where that is not one line for each item. */
  readonly typed?: (value: Value) => Value;
}

/** One input. All that is said of inputs anywhere is derived from these rows, or written by `npm run fix`. */
export interface Row {
  readonly description: string;
  /** As text, the way it would be typed. Empty: not set. */
  readonly fallback: string;
  /** A shorter name on the command line. */
  readonly alias?: string;
  /** Whether its option may be given several times, a line each. */
  readonly isList?: true;
  /** Text in, typed value or a sentence that says what would be right. */
  readonly reader: z.ZodType;
  /** None: only its caller can say it, as an input or an option. */
  readonly form?: Form;
  /** Only in `settings`: the file comes with the pull request, and this is not up to it. */
  readonly isOfCaller?: true;
  /** Whether its value must never be repeated in a message. */
  readonly isSecret?: true;
  readonly verbs: readonly InputVerb[];
  /** Whether it stands under `with:`; `action`: of the action, but not of the reusable workflow. */
  readonly door?: "action" | "both";
  /** What a workflow says in the place of an input that has no door and no form. */
  readonly instead?: string;
}

/** The readers of rows, each under its input's name. */
export function readersOf<R extends Readonly<Record<string, Row>>>(
  rows: R,
): { [N in keyof R]: R[N]["reader"] };
export function readersOf(rows: Readonly<Record<string, Row>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(rows).map(([name, { reader }]) => [name, reader]));
}
