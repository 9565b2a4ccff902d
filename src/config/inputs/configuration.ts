import * as z from "zod";
import { measuring, type Row, reporting } from "./row.ts";

/** Where inputs come from. */
export const configurationInputs = {
  config: {
    description:
      "The repository's configuration file. Empty: `.github/loadtest.yml`, where there is one. `none`: no file. What inputs say goes before what the file says. Several, one a line: one report of several apps, each with a file of its own.",
    fallback: "",
    isList: true,
    reader: z.string().optional(),
    verbs: measuring,
    door: "both",
  },
  settings: {
    description:
      "More of what the configuration file may say, as YAML in its words, e.g. `install: requirements.txt`. It goes before what the file says; other inputs go before it.",
    fallback: "",
    reader: z.string().optional(),
    isSecret: true,
    verbs: [...reporting, "trends"],
    door: "both",
  },
} as const satisfies Readonly<Record<string, Row>>;
