import { defined } from "../../lists/defined.ts";
import { confirm, type Finding } from "../../model/findings/finding.ts";
import { type EndpointReport, transactionWords } from "../../model/findings/probe-document.ts";
import { count, perRequest } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type DatabaseFacts, type Evidence, partOf, servedMs, sumOf, type TableFacts } from "../evidence.ts";
import { functionKey } from "../loop-functions.ts";
import type { Amount } from "../merging.ts";
import { cpuRate, idlePrediction, loopRate, loopShare, ratePrediction } from "../rates.ts";
import { at, figureOf, locationOf, milliseconds, phrase, plain, predictionOf } from "../wording.ts";

type Statement = EndpointReport["statements"][number];

/** From so many in a request on, their number is the cause, however long each takes. */
const fewRepeats = 5;
const leastShare = 0.1;

/** One request sends the same statement many times, from the same line (N+1). */
export function repeatedStatement(evidence: Evidence): readonly Finding[] {
  return evidence.endpoints.flatMap((endpoint) => {
    const statement = endpoint.statements.find((each) => each.count >= fewRepeats * each.requests);
    if (statement === undefined || statement.requests < endpoint.requests / 10) return [];
    return judgeRepeats(endpoint, statement, evidence) ?? [];
  });
}

function judgeRepeats(
  endpoint: EndpointReport,
  statement: Statement,
  evidence: Evidence,
): Finding | undefined {
  const { place, count, requests, totalMs } = statement;
  const weight = Math.min(1, totalMs / servedMs(endpoint.partsMs));
  if (weight < leastShare) return undefined;
  const times = Math.round(count / requests);
  return confirm({
    cause: "repeated query",
    ...locationOf(endpoint, place),
    summary: phrase`runs the same query ${times} times per request (${percent(weight, "whole")} of the request's time)${at(place)}`,
    advice: "Fetch all rows in one query: a join, or `WHERE ... = ANY(...)`.",
    figures: [
      figureOf("runs per request", count / requests),
      figureOf("most in one request", statement.mostInOne),
      figureOf("time per run, with the probe", totalMs / count, "ms"),
      figureOf("share of the service time", weight, "share"),
    ],
    prediction: statementPrediction(evidence),
    weight,
  });
}

/** Our count against the database's; without the database's, the time that we saw against that of the users. */
function statementPrediction(evidence: Evidence) {
  const { load } = evidence;
  if (load.database?.statements === undefined) {
    const seenMs = partOf(evidence, "total") - partOf(evidence, "elsewhere");
    return predictionOf("mean latency", seenMs, load.latencyMeanMs, "ms");
  }
  const sent = sumOf(evidence.endpoints, ({ statements }) =>
    sumOf(statements, ({ text, count }) => count * statementsIn(text)),
  );
  return predictionOf(
    "statements per request, all endpoints together",
    sent / evidence.requests,
    load.database.statements / load.requests,
  );
}

const beginOrEnd: ReadonlySet<string | undefined> = new Set(transactionWords);

/** A driver may send several at once, as asyncpg does when a connection goes back; the database counts each. */
function statementsIn(text: string): number {
  const parts = text.split(";").filter((each) => each.trim() !== "");
  return (
    Math.max(1, parts.length) -
    parts.filter((each) => beginOrEnd.has(/\w+/.exec(each)?.[0].toLowerCase())).length
  );
}

/** Words of a statement that wants some rows of a table, which an index could find. */
const selects = /\b(?:where|join|order by|distinct)\b/i;

/** A statement that reads a whole table, again and again, because it lacks an index. */
export function missingIndex(evidence: Evidence): Finding | undefined {
  const { database, requests } = evidence.load;
  const table = database === undefined ? undefined : mostRead(database);
  if (table === undefined || table.rows < 5_000 || table.sequentialScans < requests / 2) return undefined;
  const share = Math.min(1, evidence.partsMs.database / servedMs(evidence.partsMs));
  if (share < leastShare) return undefined;
  const [endpoint, statement] = readerOf(evidence, table.name);
  if (statement !== undefined && !selects.test(statement.text)) return undefined;
  return confirm({
    cause: "missing index",
    ...locationOf(endpoint, statement?.place),
    summary: phrase`makes the database read all ${count(table.rows)} rows of \`${plain(table.name)}\` ${timesPerRequest(table.sequentialScans / requests)}${at(statement?.place)}`,
    advice: `Create an index on the columns of \`${plain(table.name)}\` that the query filters on.`,
    figures: [
      figureOf("rows of the table", table.rows),
      figureOf("scans of the whole table", table.sequentialScans / requests, "per request"),
      figureOf("queries' share of the service time", share, "share"),
      figureOf("rows read", table.sequentialRows / requests, "per request"),
    ],
    prediction: predictionOf(
      "rows read by whole scans",
      table.sequentialScans * table.rows,
      table.sequentialRows,
    ),
    weight: share,
    ...defined({ sql: statement && indexFor(table.name, statement.text) }),
  });
}

const mostColumns = 3;
/** The probe cuts longer statements. */
const longestStatement = 500;

/** The index for a query that compares columns of one table with values; `undefined` if it does anything else. */
export function indexFor(table: string, text: string): string | undefined {
  const [, name = "", alias = "", where = ""] =
    /^select .+? from ([a-z_][a-z0-9_.]*)(?: (?:as )?(?!where\b)([a-z_][a-z0-9_]*))? where (.+?)(?: order by [\w\s.,]+?)?(?: limit \?\S*)?(?: offset \?\S*)?;?$/i.exec(
      text.replaceAll(/\s+/g, " "),
    ) ?? [];
  if (name.split(".").at(-1) !== table || text.length >= longestStatement) return undefined;
  const columns = where.split(/ and /i).map((condition) => {
    const [, owner, column] =
      /^(?:([a-z_][a-z0-9_]*)\.)?([a-z_][a-z0-9_]*) ?= ?\?(?:::[a-z]+)?$/i.exec(condition) ?? [];
    return owner === undefined || [table, alias].includes(owner) ? column : undefined;
  });
  if (columns.includes(undefined) || columns.length > mostColumns) return undefined;
  return `CREATE INDEX ON ${name} (${[...new Set(columns)].join(", ")});`;
}

function timesPerRequest(times: number): string {
  return Math.round(times * 10) === 10 ? "once per request" : `${perRequest(times)} times per request`;
}

function mostRead({ tables }: DatabaseFacts): TableFacts | undefined {
  return tables.toSorted((a, b) => b.sequentialRows - a.sequentialRows)[0];
}

function readerOf(evidence: Evidence, table: string): [EndpointReport?, Statement?] {
  const names = (statement: Statement) => statement.text.toLowerCase().split(/[^a-z0-9_]+/);
  for (const endpoint of evidence.endpoints) {
    const statement = endpoint.statements.find((each) => names(each).includes(table.toLowerCase()));
    if (statement !== undefined) return [endpoint, statement];
  }
  return [];
}

/** Mean time of a statement from which it is slow, and its least share of the time in which a request is served. */
const slowMs = 40;
const leastSlowShare = 0.5;
/** Share of a worker's time at work from which a statement may only wait for the interpreter. */
const mostCpuShare = 0.6;

/** Share of a statement's time by which the loop may be late. */
const mostLateShare = 0.3;

/** One statement that takes most of a request, whoever waits for it: the database, a lock, or too many rows. */
export function slowStatement(evidence: Evidence): readonly Finding[] {
  const { workers } = evidence;
  const timeMs = sumOf(workers, ({ busySeconds }) => busySeconds) * 1_000;
  if (sumOf(workers, ({ cpuMs }) => cpuMs) > mostCpuShare * timeMs) return [];
  return evidence.endpoints.flatMap((endpoint) => {
    const [statement] = endpoint.statements;
    if (statement === undefined || statement.count >= fewRepeats * statement.requests) return [];
    const ownMs = withoutCpuWaits(statement, evidence);
    if (ownMs / statement.count < slowMs) return [];
    if (isHeldUp(statement, evidence)) return [];
    const share = Math.min(1, ownMs / servedMs(endpoint.partsMs));
    if (share < leastSlowShare) return [];
    const { place, count, totalMs, longestMs } = statement;
    return (
      confirm({
        cause: "slow query",
        ...locationOf(endpoint, place),
        summary: phrase`waits ${milliseconds(totalMs / count)} for one query${at(place)}, ${percent(share, "whole")} of the request's time`,
        advice:
          "Check its plan with `EXPLAIN (ANALYZE, BUFFERS)`: it may lack an index, read too many rows, or wait for a lock.",
        figures: [
          figureOf("mean", totalMs / count, "ms"),
          figureOf("longest", longestMs, "ms"),
          figureOf("share of the service time", share, "share"),
        ],
        prediction: slowPrediction(statement, evidence),
        weight: share,
        statementMs: totalMs / count,
      }) ?? []
    );
  });
}

/** The loop's throughput where the statement holds it; else the database's own time, or that of the idle CPUs. */
function slowPrediction(statement: Statement, evidence: Evidence) {
  const { load, endpoints, requests } = evidence;
  const ownMs = load.database?.statementsMs;
  if (holdsLoop(statement, evidence))
    return ratePrediction(load, Math.min(loopRate(evidence), cpuRate(evidence)));
  if (ownMs === undefined) return idlePrediction(evidence);
  const seenMs = sumOf(endpoints, ({ partsMs }) => partsMs.database) / requests;
  return predictionOf("time of all statements", seenMs, ownMs / load.requests, "ms per request");
}

/** A statement's time without its part of that in which the database wanted a CPU and others had it. */
function withoutCpuWaits({ totalMs }: Amount, { endpoints, load }: Evidence): number {
  const allMs = sumOf(endpoints, ({ statements }) => sumOf(statements, (each) => each.totalMs));
  return Math.max(0, totalMs - (load.database?.cpuWaitMs ?? 0) * (totalMs / Math.max(allMs, 1e-9)));
}

/** Share of the loops' time from which they, rather than the database, are the limit. */
const mostLoopShare = 0.67;

/** A reply that is there waits until the loop turns. Where the statement itself holds the loop, its time is its own. */
function isHeldUp(statement: Amount, evidence: Evidence): boolean {
  const late = evidence.workers.flatMap(({ loops }) => loops.map(({ lagMeanMs }) => lagMeanMs));
  const isLate = Math.max(0, ...late) > (mostLateShare * statement.totalMs) / statement.count;
  return (isLate || loopShare(evidence) > mostLoopShare) && !holdsLoop(statement, evidence);
}

function holdsLoop({ place }: Amount, { stalls }: Evidence): boolean {
  return stalls.some((stall) => functionKey(stall.place) === functionKey(place));
}
