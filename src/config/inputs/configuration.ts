import * as z from "zod";
import { type InputRow, measuring, reporting } from "./row.ts";

/** Sources of inputs. */
export const configurationInputs = {
  config: {
    description:
      "The repository's configuration file. Empty: `.github/loadtest.yml`, if it exists. `none`: no file. Inputs override the file. Several files, one a line: one report of several apps, each with a file of its own.",
    fallback: "",
    isList: true,
    reader: z.string().optional(),
    verbs: measuring,
    door: "both",
  },
  settings: {
    description:
      "More keys of the configuration file, as YAML, e.g. `install: requirements.txt`. They override the file, and other inputs override them.",
    fallback: "",
    reader: z.string().optional(),
    isSecret: true,
    verbs: [...reporting, "trends"],
    door: "both",
  },
} as const satisfies Readonly<Record<string, InputRow>>;
