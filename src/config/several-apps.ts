import { InputError } from "../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import type { Verb } from "../model/choices.ts";
import { mostApps } from "../model/plan/apps-plan.ts";
import { appNameSchema } from "../model/plan/cell.ts";
import type { PullRequestOfRun } from "../model/pull-request.ts";
import type { AppOfReport, Config, Reporting } from "../model/workload/workload.ts";
import { parseConfig } from "./config-parser.ts";
import { type ConfigurationFile, settingsOf } from "./file/configuration-file.ts";
import { type Files, inputs, type RawInputs } from "./inputs.ts";

/** The whole subject of one command; `report` has no app. */
export interface Request {
  readonly verb: Verb;
  readonly apps: readonly AppOfReport[];
  readonly reporting: Reporting;
}

/** The files that `config` names, one a line, at least one. Throws an `InputError` for too many. */
export function configurationNames(config: string | undefined): NonEmptyArray<string> {
  const names = (config ?? "").split(/\r?\n/).map((line) => line.trim());
  const given = [...new Set(names.filter((name) => name !== ""))];
  if (given.length > mostApps)
    throw new InputError([`config: one report covers at most ${mostApps} apps (got ${given.length})`]);
  return isNonEmpty(given) ? given : [""];
}

/** A name in `config`, and the content that was read there. */
export interface NamedConfiguration {
  readonly name: string;
  readonly file: ConfigurationFile | undefined;
}

/** Inputs that only a single app can be given. Several apps set them in their files. */
const ofFile = ["name", "app", "working-directory"];
/** Inputs that are no key of a file and that only a single app can be given. */
const ofOneApp = ["base-url", "head-url", "plan"];

/** Reads inputs over one or several configuration files, one for each app. Throws one `InputError`. */
export function parseRequest(
  verb: Verb,
  raw: RawInputs,
  files: Files,
  context: {
    readonly pullRequest: PullRequestOfRun;
    readonly configurations: NonEmptyArray<NamedConfiguration>;
  },
): Request {
  const { pullRequest, configurations } = context;
  const [first, ...others] = configurations;
  if (others.length === 0) {
    const { workload, reporting } = parseConfig(verb, raw, files, { pullRequest, file: first.file });
    const given = callersInputs(raw, first.name, files);
    return { verb, reporting, apps: workload === undefined ? [] : [{ workload, config: first.name, given }] };
  }
  const settings = settingsOf(raw, files.resolve("."))?.texts ?? {};
  const given = (names: readonly string[]) => names.filter((input) => raw[input] || settings[input]);
  const problems = [
    ...given(ofFile).map(
      (input) => `${input}: is for one app, but config names several; set it in the file of each app`,
    ),
    ...given(ofOneApp).map((input) => `${input}: cannot be combined with several files; set one file`),
  ];
  if (problems.length > 0) throw new InputError(problems);
  const apps = configurations.flatMap(({ name, file }): AppOfReport[] => {
    const { workload } =
      attempt(name, problems, () => parseConfig(verb, raw, files, { pullRequest, file })) ?? {};
    if (workload === undefined) return [];
    const called = workload.name ?? nameOf(workload.app.folder, name, files.resolve("."));
    return [
      {
        workload: { ...workload, name: called },
        config: name,
        given: callersInputs(raw, name, files),
      },
    ];
  });
  if (problems.length > 0) throw new InputError(problems);
  checkNames(apps);
  // The plan brings the files' values for the check, for each app its own.
  const { reporting } = parseConfig("report", raw, files);
  return { verb, reporting, apps };
}

function attempt(name: string, problems: string[], parse: () => Config): Config | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push(...error.problems.map((each) => (each.startsWith(`${name}:`) ? each : `${name}: ${each}`)));
    return undefined;
  }
}

/** The app's folder relative to the working folder; the path of its file when that is empty. */
function nameOf(folder: string, config: string, here: string): string {
  const name = belowOf(folder, here) || withoutUsual(belowOf(config, here));
  return appNameSchema.parse(name.replaceAll(/[^\w./-]/g, "-").slice(-60) || "app");
}

/** A path relative to the working folder, without `.`. A path elsewhere is reduced to its last part. */
function belowOf(path: string, here: string): string {
  if (path === here) return "";
  const isElsewhere = path.startsWith("/") && !path.startsWith(`${here}/`);
  const below = path.startsWith(`${here}/`) ? path.slice(here.length + 1) : path;
  const parts = below.split("/").filter((part) => part !== "." && part !== "");
  return isElsewhere ? (parts.at(-1) ?? "") : parts.join("/");
}

/** `services/a` of `services/a/loadtest.yml`, and `one` of `.github/one.yml`. */
function withoutUsual(file: string): string {
  return file
    .replace(/\.ya?ml$/, "")
    .replace(/^\.github\//, "")
    .replace(/\/loadtest$/, "");
}

function checkNames(apps: readonly AppOfReport[]): void {
  const problems = apps.flatMap(({ workload, config }, index) => {
    const other = apps.slice(0, index).find((each) => each.workload.name === workload.name);
    if (other === undefined) return [];
    const folders = [other, { workload, config }].map(
      (each) => `${each.workload.app.folder} (${each.config})`,
    );
    return [
      `name: two apps are called ${workload.name}: ${folders.join(" and ")}; give each its own name in its file`,
    ];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** Inputs that whoever measures a cell again gives anew, or leaves to the file. */
const own: ReadonlySet<string> = new Set([
  ...["config", "settings", "name", "plan", "base-ref", "control", "thresholds", "fail-on", "max-slowdown"],
  ...["max-minutes", "max-total-minutes", "soak", "diagnose", "results-directory", "history-branch"],
  ...["report-id", "comment", "comment-mode", "check-name", "review-comments", "history"],
]);

const longest = 2_000;

/** The inputs of one app that are in no configuration file: those of `with:`, of `settings` and of the command line. */
export function callersInputs(
  raw: RawInputs,
  config: string,
  files: Files,
): Readonly<Record<string, string>> {
  const settings = settingsOf(raw, files.resolve("."));
  const given = inputs.flatMap(({ name, isSecret }): [string, string][] => {
    const text = (raw[name] || settings?.texts[name]) ?? "";
    return own.has(name) || isSecret || text === "" || text.length > longest ? [] : [[name, text]];
  });
  const here = `${files.resolve(".")}/`;
  const file = config.startsWith(here) ? config.slice(here.length) : config;
  return Object.fromEntries([...(file === "" ? [] : [["config", file] as const]), ...given]);
}
