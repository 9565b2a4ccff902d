import {
  type Cookie,
  capturedIn,
  cookiesAfter,
  headersWith,
  missingValue,
  otherDomain,
  withCaptured,
  withCookies,
} from "../../endpoints/captures.ts";
import { dryRequestProblem, type Reply, redirectIn, usualExpectation } from "../../endpoints/dry-request.ts";
import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { stepsOf } from "../../model/endpoint/endpoint.ts";
import { formName, formOf } from "../../model/endpoint/form.ts";
import { loneArmOf, noBase } from "../../model/measurement/lone-arm.ts";
import type { ArmName, LoneArm } from "../../model/measurement/measurement.ts";
import { type Redirect, redirectWords } from "../../model/measurement/redirects.ts";
import { type Cell, usualTimeoutSeconds } from "../../model/plan/cell.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { noteRedirects } from "../notices.ts";
import { materialsFor, type Prepared } from "../preparation/index.ts";
import { armError, type RunningArm, type RunningArms, refuseOtherStores } from "./running-arms.ts";

interface DryReply {
  readonly reply: Reply;
  /** `GET /items/`; absent: nobody needs it. */
  readonly request?: string;
  /** Where the reply sends on to, unless that is what `expect` wants: `307 to /items`. */
  readonly redirect?: string | undefined;
  /** One sentence when the reply is not as expected. */
  readonly problem: string | undefined;
}

/**
 * Sends each endpoint of a cell to every arm once, before any load: a mistake in the configuration is reported, not
 * measured. Throws an `EnvironmentError` when the head, or the only arm, does not answer as expected.
 *
 * @returns why only one arm can be measured: the endpoint is new or removed, or the base fails
 */
export async function tryEndpoints(
  cell: Cell,
  runningArms: RunningArms,
  prepared: Prepared,
  ports: Pick<MeasurePorts, "progress" | "sendRequest">,
): Promise<LoneArm | undefined> {
  ports.progress({ kind: "step", text: "checking the endpoint" });
  const answers = new Map<ArmName, readonly DryReply[]>();
  const unshared = runningArms.has("base") ? reasonIn(cell, prepared.ofHeadOnly) : undefined;
  for (const [arm, runningArm] of runningArms)
    if (arm === "head" || unshared === undefined)
      answers.set(arm, await answersOf(cell, arm, runningArm, prepared, ports));
  await refuseOtherStores(runningArms, "dry request");
  const head = answers.get("head") ?? [];
  noteRedirects(cell, redirectsIn(answers, ports));
  const loneArm = unshared === undefined ? loneArmIn(cell, answers.get("base"), head) : noBase(unshared);
  const wrong = head.find(({ problem }) => problem !== undefined);
  if (wrong?.problem === undefined || loneArm?.kind === "removed") return loneArm;
  throw new EnvironmentError("dry request", wrong.problem, {
    logTail: wrong.reply.status >= 500 ? (runningArms.get("head")?.app.logTail() ?? "") : "",
  });
}

function redirectsIn(
  answers: ReadonlyMap<ArmName, readonly DryReply[]>,
  { progress }: Pick<MeasurePorts, "progress">,
): readonly Redirect[] {
  const requests = new Set(
    [...answers.values()].flatMap((all) => all.flatMap(({ request }) => request ?? [])),
  );
  const of = (arm: ArmName, request: string) =>
    answers.get(arm)?.find((each) => each.request === request)?.redirect;
  const all = [...requests].flatMap((request): Redirect[] => {
    const [base, head] = [of("base", request), of("head", request)];
    const isCompared = answers.has("base");
    if (base === undefined && head === undefined) return [];
    return [{ request, ...defined({ base, head }), ...(isCompared && base !== head && { isApart: true }) }];
  });
  for (const redirect of all) progress({ kind: "warning", text: redirectWords(redirect) });
  return all;
}

/** The reason of the first of the cell's requests that has one. */
function reasonIn({ endpoint }: Cell, reasons: ReadonlyMap<string, string> | undefined): string | undefined {
  return stepsOf(endpoint)
    .map((step) => ("path" in step ? reasons?.get(formName(step)) : undefined))
    .find((reason) => reason !== undefined);
}

/**
 * Decides by the first endpoint that failed in either arm; `undefined` when the base got no request, or both arms
 * failed.
 */
function loneArmIn(
  cell: Cell,
  base: readonly DryReply[] | undefined,
  head: readonly DryReply[],
): LoneArm | undefined {
  if (base === undefined) return undefined;
  const wrong = base.findIndex(({ reply }, index) => {
    const other = head[index];
    return reply.status >= 400 || (other !== undefined && other.reply.status >= 400);
  });
  const [ofBase, ofHead] = [base[wrong], head[wrong]];
  if (ofBase === undefined || ofHead === undefined) return undefined;
  const counted = ({ reply }: DryReply) => ({ [reply.status]: 1 });
  const both = ofBase.reply.status >= 400 && ofHead.reply.status >= 400;
  return both ? undefined : loneArmOf(cell.endpoint, { base: counted(ofBase), head: counted(ofHead) });
}

/**
 * Sends the requests of a cell to one arm, in order. Throws the arm's error, with an `EnvironmentError`, where no reply
 * comes.
 *
 * @param kept number of the row that is sent, through a connection that stays open; absent: the first, through its own
 */
export async function answersOf(
  cell: Cell,
  arm: ArmName,
  { app, headers }: RunningArm,
  prepared: Prepared,
  ports: Pick<MeasurePorts, "progress" | "sendRequest">,
  kept?: number,
): Promise<DryReply[]> {
  const materials = materialsFor(cell.endpoint, prepared.materials);
  const answers: DryReply[] = [];
  const captured: Record<string, string | number> = {};
  let cookies: readonly Cookie[] = [];
  let domain: string | undefined;
  const host = new URL(app.baseUrl).hostname;
  for (const [index, step] of stepsOf(cell.endpoint).entries()) {
    if (!("path" in step)) continue;
    const material = materials?.[index];
    const row = material?.rows[(kept ?? 0) % material.rows.length];
    const { path, body } = withCaptured(row ?? { path: step.path }, captured);
    const reply = await ports.sendRequest({
      url: app.baseUrl + path,
      method: step.method,
      headers: withCookies(
        { ...headersWith({ ...material?.headers, ...material?.rows[0]?.headers }, captured), ...headers },
        cookies,
        path,
      ),
      body,
      withinSeconds: cell.load.timeoutSeconds ?? usualTimeoutSeconds,
      ...(kept !== undefined && { keepsConnection: true }),
    });
    if (typeof reply === "string") {
      const error = new EnvironmentError("dry request", `${step.method} ${path}: ${reply}`, {
        logTail: app.logTail(),
      });
      throw armError(error, arm);
    }
    cookies = cookiesAfter(cookies, { path, host }, reply);
    const expect = formOf(prepared.workload.forms, step)?.expect ?? usualExpectation;
    let problem = dryRequestProblem(step, path, reply, expect);
    for (const capture of material?.captures ?? []) {
      const value = capturedIn(reply, capture);
      if (value === undefined) problem ??= missingValue(`${step.method} ${path}`, capture, reply);
      else captured[capture.name] = value;
    }
    if (problem !== undefined && domain !== undefined)
      problem += `; a cookie before it is for ${domain}, so ${host} does not get it: clear its domain in \`app-env\``;
    domain ??= otherDomain(reply, host);
    const redirect = expect.statuses.length === 0 ? redirectIn(reply, app.baseUrl) : undefined;
    answers.push({ reply, problem, redirect, request: `${step.method} ${step.path}` });
    if (problem !== undefined && material?.captures !== undefined) break; // the next steps cannot be right
  }
  return answers;
}
