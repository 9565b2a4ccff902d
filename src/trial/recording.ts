import { operationsOf } from "../endpoints/openapi.ts";
import type { TestChoice } from "../init/options.ts";
import { type Recording, readRecording, rowsFile } from "../init/tests/recording.ts";
import { variablesFor } from "../measure/preparation/index.ts";
import { dialectOf } from "../model/workload/database-variables.ts";
import type { Seed, Workload } from "../model/workload/workload.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import type { AppTests, TrialPorts } from "../ports/trial.ts";
import { shellWords } from "../text/quoting.ts";
import { openDatabase } from "./seeded-databases.ts";

/** Most for all of them, for each, and without a request to another route. */
const limits = { seconds: 90, testSeconds: 20, quietSeconds: 10 } as const;

export interface Suite {
  /** The app's folder below the repository, `.` for the repository itself. */
  readonly inside: string;
  readonly choice?: TestChoice | undefined;
  /** OpenAPI document of the app, if it has one. */
  readonly document: unknown;
  /** False when the app has the parts of its database's address only. */
  readonly readsAddress: boolean;
}

/**
 * Runs the app's tests on a migrated database of ours without rows, in a copy of the repository. `undefined`: none of
 * them sends requests. Throws an `EnvironmentError` when they cannot be run.
 */
export async function recordTests(
  workload: Workload,
  suite: Suite,
  ports: TrialPorts,
): Promise<Recording | undefined> {
  const { inside, document } = suite;
  const topOf = (folder: string) => (inside === "." ? folder : folder.slice(0, -inside.length - 1));
  const environment = await ports.preparePython(workload.app);
  const routes = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
  const own = { app: workload.app.folder, repository: topOf(workload.app.folder) };
  let tests = await ports.findTests(own, environment, []);
  const missing: string[] = [];
  let attempts = 0;
  for (;;) {
    if (tests === undefined) return undefined;
    const recording = await recorded(workload, { environment, tests, topOf, routes }, suite, ports);
    const lacking = recording.missing.filter((module) => !missing.includes(module));
    if (lacking.length === 0 || attempts === mostAttempts) return recording;
    attempts += 1;
    missing.push(...lacking);
    const { needs } = tests;
    tests = await ports.findTests(own, environment, missing);
    if (tests?.needs.length === needs.length) return recording;
  }
}

/** Most times that packages are installed because tests failed without them. */
const mostAttempts = 3;

interface FoundTests {
  readonly environment: PythonEnvironment;
  readonly tests: AppTests;
  /** The repository's folder, by the app's. */
  readonly topOf: (folder: string) => string;
  readonly routes: readonly string[];
}

async function recorded(
  workload: Workload,
  { environment, tests, topOf, routes }: FoundTests,
  { choice, readsAddress }: Suite,
  ports: TrialPorts,
): Promise<Recording> {
  const app = await ports.copyApp(workload.app, "shared");
  const folder = topOf(app.folder);
  // A server of its own: tests may drop whatever they find there.
  await using opened = await openDatabase(withoutRows(workload), { app, python: environment }, ports);
  await opened.copy?.shareExtensions?.(); // tests may make a database for themselves
  const url = opened.copy?.url;
  ports.progress({ kind: "step", text: "running the repository's tests to learn their requests" });
  const services = workload.services ?? [];
  const { database } = workload;
  const all = withTestNames(variablesFor(workload, app, url));
  const own = database.kind === "private" && !readsAddress ? withoutUnread(all, database) : all;
  // Where they only set the app up, those of the tests count.
  const theirs = Object.entries(tests.variables).filter(([name]) => own[name] === app.variables[name]);
  const variables = without({ ...own, ...Object.fromEntries(theirs) }, tests.onSqlite);
  const text = await ports.recordTests({
    ...{ environment, folder, needs: tests.needs, until: workload.app.excludeNewer, routes, ...limits },
    ...(url !== undefined && dialectOf(url) !== "sqlite" && { database: url }),
    portVariables: [
      ...services.flatMap(({ appVariables }) => Object.keys(appVariables)),
      ...(database.kind === "private" ? [database.variable] : []),
    ],
    only: choice?.kind === "path" ? [`${folder}/${choice.path}`] : [...tests.files, ...wordsOf(choice)],
    start: (argv, more) => {
      const command = { input: "tests", text: shellWords(argv) ?? "", folder: `${folder}/${tests.folder}` };
      const wanted = { services, cpus: undefined };
      return ports.runCommand(
        { ...command, variables: { ...variables, ...more }, ownFolders: Object.values(more), wanted },
        environment,
        "tests",
      );
    },
  });
  return readRecording(text);
}

/** An app that takes the address in parts does not read the usual variable; a suite that does has a default that fits. */
function withoutUnread(
  all: Readonly<Record<string, string>>,
  { variable, templates = {} }: Pick<Seed, "variable" | "templates">,
): Readonly<Record<string, string>> {
  const values = Object.values(templates);
  const isRead = values.length === 0 || variable in templates || values.some((each) => each.includes("://"));
  return isRead ? all : without(all, [variable]);
}

function without(
  all: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}

function wordsOf(choice: TestChoice | undefined): readonly string[] {
  return choice?.kind === "words" ? ["-k", choice.words] : [];
}

/** Many a suite has a variable of its own for the database's address. */
function withTestNames(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const ofTests = Object.entries(variables)
    .filter(([name]) => /DATABASE|POSTGRES|DB_/.test(name))
    .flatMap(([name, value]) => [[`TEST_${name}`, value] as const, [`${name}_TEST`, value] as const]);
  return { ...variables, ...Object.fromEntries(ofTests) }; // a made-up one would lead nowhere
}

/**
 * The tests bring their own rows: those of the app's seed would have other keys in each arm, and those of an earlier
 * `init` would be there twice.
 */
function withoutRows(workload: Workload): Workload {
  const { database } = workload;
  if (database.kind === "none") return workload;
  const commands = { migrate: database.commands?.migrate ?? [], seed: [] };
  const seedFiles = database.seedFiles.filter((path) => !path.endsWith(`/${rowsFile}`));
  return { ...workload, database: { ...database, commands, seedFiles } };
}
