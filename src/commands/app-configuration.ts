import { parseConfig } from "../config/config-parser.ts";
import type { ConfigurationFile } from "../config/file/configuration-file.ts";
import type { TestChoice } from "../init/options.ts";
import type { Project } from "../init/project.ts";
import type { PlacedApp } from "../init/read/apps.ts";
import { literalAccounts } from "../init/read/literal-accounts.ts";
import { findFirstUser, findKeys } from "../init/read/variables.ts";
import { settingOf, variablesOf, withSetting } from "../init/repair/change.ts";
import { routesIn, type SuggestedEndpoint } from "../init/requests/endpoints.ts";
import type { Learned } from "../init/tests/learning.ts";
import { renderRows, rowsFile, type WrittenRow } from "../init/tests/recording.ts";
import {
  moduleWithoutLogin,
  proposeReplacement,
  replacementApp,
  replacementFile,
} from "../init/tests/replacement.ts";
import { renderConfiguration } from "../init/write/configuration.ts";
import { defined } from "../lists/defined.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { InitPorts, TrialPorts } from "../ports/trial.ts";
import { isDescribed } from "../repository/frameworks.ts";
import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";
import { type AppTrial, nothingLearned, tryApp } from "../trial/app.ts";
import { type Attempt, type Conclusion, concluded, stepAfter } from "../trial/attempts.ts";
import { checkConfiguration } from "../trial/check.ts";
import { writeRows } from "../trial/rows.ts";
import { keepSeeded } from "../trial/seeded-databases.ts";
import { type SlowReplies, stillSlow } from "../trial/slow.ts";
import { type RunningTrial, type TrialCircumstances, type TrialProblem, withTrial } from "../trial/trial.ts";
import { learnFromTests } from "./app-tests.ts";

interface ConfiguredApp {
  readonly placed: PlacedApp;
  readonly tests?: TestChoice;
  /** True when the login that its tests replace is to be replaced. */
  readonly replacesLogin?: true;
  /** The text of the file for what was found: it keeps what somebody wrote. */
  render(written: string): string;
  fileOf(written: string): ConfigurationFile;
}

interface AppConfiguration {
  readonly text: string;
  readonly isChecked: boolean;
  /** A file of rows that it names; absent: it needs none. */
  readonly rows?: { readonly path: string; readonly rows: readonly WrittenRow[] };
}

/** Starts the app as `run` would, requests its endpoints, and starts again after each fix. */
export async function configureApp(
  app: ConfiguredApp,
  project: Project,
  ports: InitPorts,
): Promise<AppConfiguration> {
  const warn = (text: string) => ports.progress({ kind: "warning", text });
  project.lacks.forEach(warn);
  ports.progress({ kind: "step", text: "reading the app's endpoints" });
  let attempt: Attempt = { number: 1, project, isUndescribed: !isDescribed(app.placed.app.framework) };
  let slow: SlowReplies = new Map();
  await using databases = keepSeeded();
  for (;;) {
    const outcome = await tryOut(app, attempt.project, ports, { slow, seeded: databases });
    const step = stepAfter(attempt, outcome);
    if ("next" in step) {
      step.warnings.forEach(warn);
      attempt = step.next;
      slow = stillSlow(slow);
      continue;
    }
    const found =
      "problem" in outcome
        ? undefined
        : await withShown(app, attempt.project, outcome, { slow, seeded: databases }, ports);
    const last = found?.step ?? step;
    last.warnings.forEach(warn);
    const all = last.endpoints;
    const isTried = !("problem" in outcome) && all !== "auto";
    const endpoints = isTried ? await measurable(app, last.project, all, found?.learned, ports) : all;
    const path = `${app.placed.path.replace(/[^/]*$/, "")}${rowsFile}`;
    const rows = found?.learned.rows ?? [];
    const filled = rows.length === 0 ? last.project : withRowsFile(last.project, app.placed, path);
    const whole = withReplacement(filled, endpoints, found?.learned);
    return {
      text: app.render(renderConfiguration(whole, endpoints)),
      isChecked: last.isChecked,
      ...(rows.length > 0 && { rows: { path, rows } }),
    };
  }
}

/** The endpoints, of which those that `run` would refuse are only shown: each is tried on a fresh copy of the database. */
async function measurable(
  app: ConfiguredApp,
  project: Project,
  endpoints: readonly SuggestedEndpoint[],
  learned: Learned | undefined,
  ports: InitPorts,
): Promise<readonly SuggestedEndpoint[]> {
  const measured = endpoints.filter(({ reason }) => reason === undefined);
  const checked = await withPorts(
    app,
    { project, endpoints: measured },
    ports,
    async (workload, trialPorts) =>
      checkConfiguration(await seeded(workload, learned, trialPorts), trialPorts),
  );
  // Others than those of an earlier file.
  if (checked?.length !== measured.length) return endpoints;
  return endpoints.map((each) => {
    const problem = checked[measured.indexOf(each)]?.problem;
    return problem === undefined
      ? each
      : { ...each, reason: `on a fresh copy of the database: ${shortenEnd(visibleLine(problem), 200)}` };
  });
}

/** Writes the module that replaces the login, where that is wanted, and returns the project that uses it. */
async function replaced(
  { placed, replacesLogin }: ConfiguredApp,
  project: Project,
  learned: Learned | undefined,
  ports: InitPorts,
): Promise<Project | undefined> {
  if (replacesLogin === undefined) return undefined;
  const warn = (text: string) => ports.progress({ kind: "warning", text });
  const lines = learned === undefined ? [] : moduleWithoutLogin(importStringOf(project), learned.replaced);
  if (lines.length === 0)
    return void warn("`--replace-login` has no effect: no test that ran replaces a login of the app");
  const path = placed.app.folder === "." ? replacementFile : `${placed.app.folder}/${replacementFile}`;
  if (!ports.isFile(path)) {
    await ports.write(path, `${lines.join("\n")}\n`);
    ports.print(`wrote ${path}\n`);
    if (lines.some((line) => line.endsWith("lambda: ...")))
      warn(`replace the dots in ${path} with what the tests return`);
  }
  const reason = `as \`--replace-login\` said: ${replacementFile} serves the app without its login, whose cost is then not in the figures. Until the base branch has that file, nothing is compared`;
  return withSetting(project, { key: "app", value: replacementApp, reason });
}

function importStringOf(project: Project): string {
  return String(settingOf(project, "app")?.value);
}

/** The app again, with what its tests show and its accounts need; `undefined` when that is nothing. */
async function withShown(
  app: ConfiguredApp,
  plain: Project,
  trial: AppTrial,
  before: TrialCircumstances,
  ports: InitPorts,
) {
  const { placed, tests } = app;
  const { document, confirming = [] } = trial;
  const readsAddress = settingOf(plain, "database-variable") !== undefined;
  const suite = { inside: placed.app.folder, choice: tests, document, readsAddress };
  const shown = await withPorts(app, { project: plain, endpoints: [] }, ports, (workload, trialPorts) =>
    learnFromTests(workload, suite, trialPorts),
  );
  const open = await replaced(app, plain, shown, ports);
  const project = open ?? plain;
  if (shown === undefined) {
    if (confirming.length === 0) return undefined;
    return {
      step: concluded(withTables(project), trial),
      learned: { ...nothingLearned, rows: confirming },
    };
  }
  const tried = async (wanted: readonly WrittenRow[]) => {
    const filled = wanted.length === 0 ? project : withTables(project);
    let rows: readonly WrittenRow[] = [];
    const fill = async (ask: RunningTrial["ask"]) => {
      rows = await writeRows(ask, wanted);
    };
    const known = open === undefined ? document : undefined;
    const outcome = await tryOut(app, filled, ports, { ...before, fill, known }, shown);
    if ("problem" in outcome) return undefined;
    const all = [...rows, ...(outcome.confirming ?? [])];
    const kept = all.length === 0 ? project : withTables(project);
    return { step: concluded(kept, outcome), learned: { ...shown, rows: all } };
  };
  const first = await tried(shown.rows);
  const { endpoints = "auto" } = first?.step ?? {};
  const isWhole =
    endpoints !== "auto" && endpoints.every(({ from, reason }) => from === undefined || reason === undefined);
  if (isWhole || shown.rows.length === 0) return first;
  // Rows of several tests may keep each other out, where the app's own requests would have made some that fit.
  const second = await tried([]);
  return measuredIn(second) > measuredIn(first) ? second : first;
}

/** Number of endpoints that can be measured; -1 where the app did not start. */
function measuredIn(tried: { readonly step: Pick<Conclusion, "endpoints"> } | undefined): number {
  if (tried === undefined) return -1;
  const { endpoints } = tried.step;
  return endpoints === "auto" ? 0 : endpoints.filter(({ reason }) => reason === undefined).length;
}

/** The rows need their tables before the app has started. */
function withTables(project: Project): Project {
  const has = (name: string) => project.findings.some(({ key }) => key === name);
  const [, module, name, call] = /^([\w.]+):(\w+)(\(\))?$/.exec(importStringOf(project)) ?? [];
  if (has("migrate-command") || has("seed") || module === undefined) return project;
  const made =
    call === undefined
      ? [`from ${module} import ${name} as app`]
      : [`import ${module}`, `app = ${module}.${name}()`];
  const code = ["import asyncio", ...made, "asyncio.run(app.router.lifespan_context(app).__aenter__())"].join(
    "; ",
  );
  const value = `python -c "${code}"`;
  const reason = "the app creates its tables when it starts";
  return { ...project, findings: [...project.findings, { key: "migrate-command", value, reason }] };
}

/** Where the tests' own requests are refused, the login that they replace may be replaced, too. */
function withReplacement(
  project: Project,
  endpoints: Conclusion["endpoints"],
  learned: Learned | undefined,
): Project {
  const isReplaced = settingOf(project, "app")?.value === replacementApp;
  const isClosed =
    !isReplaced &&
    endpoints !== "auto" &&
    endpoints.some(({ from, reason = "" }) => from !== undefined && /answered 40[13]/.test(reason));
  if (!isClosed || learned === undefined) return project;
  const proposals = [...project.proposals, ...proposeReplacement(importStringOf(project), learned.replaced)];
  return { ...project, proposals };
}

function withRowsFile(project: Project, { from }: PlacedApp, path: string): Project {
  const own = from === "." ? path : path.slice(from.length + 1);
  const before = project.findings.find(({ key }) => key === "seed");
  const present = before === undefined ? [] : [before.value].flat();
  const reason = `${before === undefined ? "" : `${before.reason}; `}the last file has what \`init\` adds to the database`;
  const seed = { key: "seed", value: [...present, own], reason };
  return { ...project, findings: [...project.findings.filter((each) => each !== before), seed] };
}

/** What the configuration so far means, with the ports for it; `undefined` where it names no app. */
async function withPorts<T>(
  app: ConfiguredApp,
  { project, endpoints }: Pick<Conclusion, "project" | "endpoints">,
  ports: InitPorts,
  use: (workload: Workload, ports: TrialPorts) => Promise<T>,
): Promise<T | undefined> {
  const file = app.fileOf(app.render(renderConfiguration(project, endpoints)));
  const { workload, reporting } = parseConfig("plan", {}, ports.files, { file });
  return workload && (await use(workload, await ports.trialPorts({ workload, reporting }, ports.progress)));
}

async function tryOut(
  app: ConfiguredApp,
  project: Project,
  ports: InitPorts,
  circumstances: TrialCircumstances,
  learned?: Learned,
): Promise<AppTrial | TrialProblem> {
  const asked = async (isNobody: boolean) =>
    await withPorts(app, { project, endpoints: [] }, ports, (workload, trialPorts) =>
      withTrial(
        workload,
        trialPorts,
        (running) =>
          tryApp(running, {
            firstUsers: [
              ...[findFirstUser(project.variables, variablesOf(project))].flatMap((each) => each ?? []),
              ...literalAccounts(project.files),
            ],
            keys: findKeys(project.variables, variablesOf(project)),
            hasLogin: isNobody || workload.login !== undefined,
            hidden: routesIn(project.files).map(({ line }) => line),
            ...defined({ learned }),
          }),
        circumstances,
      ),
    );
  const outcome =
    (await asked(false)) ?? ({ phase: "import", problem: "no app was named", log: "" } as const);
  if (!("problem" in outcome) || outcome.detail?.kind !== "other store") return outcome;
  // What an account may do can lead to somebody else's store, where other endpoints do without.
  const instead = await asked(true);
  return instead === undefined || "problem" in instead ? outcome : { ...instead, refused: outcome.problem };
}

async function seeded(
  workload: Workload,
  learned: Learned | undefined,
  { keepText }: Pick<TrialPorts, "keepText">,
): Promise<Workload> {
  const { database } = workload;
  if (database.kind === "none" || learned === undefined || learned.rows.length === 0) return workload;
  const path = await keepText("rows.sql", renderRows(learned.rows));
  return { ...workload, database: { ...database, seedFiles: [...database.seedFiles, path] } };
}
