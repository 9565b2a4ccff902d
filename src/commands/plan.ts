import { precisionWarning } from "../compare/expected-time.ts";
import type { RawInputs } from "../config/inputs.ts";
import type { Request } from "../config/several-apps.ts";
import { exitStatus, InputError, namingApp } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import { groupBy } from "../lists/group.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import { parsePlan } from "../model/measurement/documents.ts";
import { jobsOf, mergePlans, withinTotal } from "../model/plan/apps-plan.ts";
import { makePlan, matrixOf, mostMatrixJobs, type Plan, planForPart } from "../model/plan/plan.ts";
import { aloneIfAllReached, notComparedBecause } from "../model/plan/without-base.ts";
import { serverKindOf } from "../model/workload/seed.ts";
import type { AppOfReport } from "../model/workload/workload.ts";
import type { PlanPorts, RunPorts } from "../ports/run.ts";
import { cellName } from "../report/progress/cell-progress.ts";
import { fingerprint } from "../text/fingerprint.ts";
import { escapedJson } from "../text/json.ts";
import { fillInEndpoints, readRequest } from "./request.ts";

type Ports = Pick<RunPorts, "request" | "environment" | "endpointPorts" | "planPorts" | "print">;

export async function plan(raw: RawInputs, ports: Ports): Promise<number> {
  return await planRequest(await readRequest("plan", raw, ports.request), ports);
}

export async function planRequest(request: Request, ports: Omit<Ports, "request">): Promise<number> {
  const apps = await fillInEndpoints(request, ports);
  const { cells } = await planCells(apps, ports.planPorts({ forMatrix: true }));
  ports.print(cells.map((cell) => `  ${cellName(cell)}\n`).join(""));
  return exitStatus.fine;
}

/** The plan travels as an environment variable of the later jobs, which Linux limits to 128 KiB. */
const mostPlanBytes = 120_000;
/** All outputs of a job may have 1 MiB for GitHub, which counts two bytes for each character. */
const mostOutputCharacters = 500_000;

/** Lists the cells, prints them, and hands them to later jobs as outputs. Starts nothing. */
export async function planCells(apps: NonEmptyArray<AppOfReport>, ports: PlanPorts): Promise<Plan> {
  const [{ workload }] = apps;
  const { planText } = workload;
  const whole =
    planText === undefined
      ? withSettings(wholeOf(apps, ports.forMatrix), apps)
      : planForPart(parsePlan(planText), workload);
  const jobs = jobsOf(whole, apps);
  // Each app has the minutes to itself, and so has each job of a matrix.
  const ofApps = [...groupBy(whole.cells, ({ app }) => app).values()].map(({ length }) => length);
  const parts = ports.forMatrix ? jobs.map(() => 1) : ofApps;
  const workloads = apps.map((app) => app.workload);
  const made =
    planText === undefined ? withinTotal(whole, workloads, { parts, isForMatrix: ports.forMatrix }) : whole;
  const { workerCounts, endpoints } = matrixOf(made, workload);
  const isOne = apps.length === 1;
  if (jobs.length > mostMatrixJobs && ports.forMatrix) {
    throw new InputError([
      `workers, endpoints: ${made.cells.length} cells are too many for a matrix of at most ${mostMatrixJobs} jobs; use \`run\``,
    ]);
  }
  const text = JSON.stringify(made);
  const [packed, matrix] = [ports.pack(text), escapedJson(jobs)];
  if (ports.forMatrix) refuseTooLarge(packed, matrix);
  ports.progress({ kind: "plan", plan: made, ...(ports.forMatrix && { jobs: jobs.length }) });
  const reasons = apps.map((app) => notComparedBecause(made, app.workload, { isForMatrix: ports.forMatrix }));
  for (const reason of new Set(reasons.filter((each) => each !== undefined)))
    ports.progress({ kind: "warning", text: `no comparison: ${reason}` });
  const isTimed = made.cells.every(({ load }) => load.kind !== "script");
  const most = Math.max(...parts);
  const precision =
    aloneIfAllReached(made, most) ??
    (made.design && isTimed ? precisionWarning(made.design, most) : undefined);
  if (precision !== undefined) ports.progress({ kind: "warning", text: precision });
  const isAnyRefNamed = apps.some((app) => app.workload.comparing.base.kind === "ref");
  await ports.setOutputs({
    plan: packed,
    "plan-id": fingerprint(text),
    matrix,
    // Empty when there are several apps: they share no worker count, endpoint or database.
    "worker-counts": isOne ? escapedJson(workerCounts) : "",
    endpoints: isOne ? escapedJson(endpoints) : "",
    database: isOne ? serverKindOf(workload.database) : "",
    // Jobs that share one running app must not load it at the same time.
    "max-parallel": workload.targets === undefined ? String(mostMatrixJobs) : "1",
    // The merge commit with both of its parents, or the whole history when any ref may be named.
    "fetch-depth": isAnyRefNamed ? "0" : "2",
  });
  return made;
}

/** Throws an `InputError` for what no later job can be handed. */
function refuseTooLarge(plan: string, matrix: string): void {
  const remedy = "list fewer or shorter endpoints, or use `run`";
  if (plan.length > mostPlanBytes)
    throw new InputError([
      `workers, endpoints: the packed plan has ${plan.length} bytes, but the jobs of a matrix can receive at most ${mostPlanBytes}; ${remedy}`,
    ]);
  if (plan.length + matrix.length > mostOutputCharacters)
    throw new InputError([
      `workers, endpoints: the plan and the matrix have ${plan.length + matrix.length} characters, but GitHub passes on at most ${mostOutputCharacters}; ${remedy}`,
    ]);
}

/** The plan with what it takes to measure a cell of it again. */
function withSettings(plan: Plan, apps: NonEmptyArray<AppOfReport>): Plan {
  const settings = apps.flatMap(({ workload: { name: app }, given: inputs = {} }) =>
    Object.keys(inputs).length === 0 ? [] : [{ ...defined({ app }), inputs }],
  );
  return { ...plan, ...(settings.length > 0 && { settings }) };
}

function wholeOf([first, ...others]: NonEmptyArray<AppOfReport>, isForMatrix: boolean): Plan {
  if (others.length === 0) return makePlan(first.workload, { isForMatrix });
  const planOf = ({ workload }: AppOfReport) => {
    const { name = "" } = workload;
    try {
      const plan = makePlan(workload, { isForMatrix });
      return { name, plan, isAlone: notComparedBecause(plan, workload, { isForMatrix }) !== undefined };
    } catch (error) {
      throw namingApp(error, name);
    }
  };
  return mergePlans([planOf(first), ...others.map(planOf)], { isForMatrix });
}
