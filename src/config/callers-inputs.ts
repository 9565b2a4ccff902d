import { type ConfigurationFile, settingsOf } from "./file/configuration-file.ts";
import { type Files, inputs, type RawInputs } from "./inputs.ts";

/** Inputs that whoever measures a cell again gives anew, or leaves to the file. */
const own: ReadonlySet<string> = new Set([
  ...["config", "settings", "name", "plan", "base-ref", "control", "thresholds", "fail-on", "max-slowdown"],
  ...["max-minutes", "max-total-minutes", "soak", "diagnose", "results-directory", "history-branch"],
  ...["report-id", "comment", "comment-mode", "check-name", "logs", "history", "generators-wait"],
]);

const longest = 2_000;

/** The inputs of one app that are in no configuration file: those of `with:`, of `settings` and of the command line. */
export function callersInputs(
  raw: RawInputs,
  config: string,
  files: Files,
  settings: ConfigurationFile | undefined = settingsOf(raw, files.resolve(".")),
): Readonly<Record<string, string>> {
  const given = inputs.flatMap(({ name, isSecret }): [string, string][] => {
    const text = (raw[name] || settings?.texts[name]) ?? "";
    return own.has(name) || isSecret || text === "" || text.length > longest ? [] : [[name, text]];
  });
  const here = `${files.resolve(".")}/`;
  const file = config.startsWith(here) ? config.slice(here.length) : config;
  return Object.fromEntries([...(file === "" ? [] : [["config", file] as const]), ...given]);
}
