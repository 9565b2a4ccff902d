import { settingsOf } from "../../config/file/configuration-file.ts";
import { readInputs } from "../../config/input-checks.ts";
import { inputsSchema, type RawInputs } from "../../config/inputs.ts";
import { InputError } from "../../errors/errors.ts";

export interface Trending {
  /** A folder that holds `cells/`, or a ref of the repository that holds the working folder. */
  readonly history: string;
  /** Folder for the page. */
  readonly resultsDirectory: string;
  /** Same meaning as the input `python`. */
  readonly python: string;
}

const schema = inputsSchema.pick({ history: true, "results-directory": true, python: true });

/** Reads the inputs of `trends`, over the values of `settings`. Throws an `InputError`. */
export function parseTrending(raw: RawInputs): Trending {
  const said = Object.entries(raw).filter(([, text]) => text);
  const given = { ...settingsOf(raw, ".")?.texts, ...Object.fromEntries(said) };
  const { history, "results-directory": resultsDirectory, python } = readInputs(schema, given);
  const right = "must be a folder or a ref, e.g. origin/loadtest-history";
  if (history === undefined) throw new InputError([`history: ${right}`]);
  // Git would take such a name for an option.
  if (history.startsWith("-")) throw new InputError([`history: ${right} (got ${JSON.stringify(history)})`]);
  return { history, resultsDirectory, python };
}
