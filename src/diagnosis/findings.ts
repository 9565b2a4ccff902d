import { type Cause, type Finding, inOrder } from "../model/findings/finding.ts";
import type { Evidence } from "./evidence.ts";
import { functionKey } from "./loop-functions.ts";
import { closedConnections, delayedAcknowledgements, largePool, smallPool } from "./rules/connections.ts";
import { loopHolds } from "./rules/event-loop.ts";
import { garbageCollection } from "./rules/garbage-collection.ts";
import { madePerRequest } from "./rules/made-per-request.ts";
import { externalWait, generatorBound } from "./rules/outside.ts";
import { missingIndex, repeatedStatement, slowStatement } from "./rules/statements.ts";
import { takenThreads, unevenWorkers, workersBeyondCores } from "./rules/workers.ts";

type Rule = (evidence: Evidence) => Finding | readonly Finding[] | undefined;

const rules: readonly Rule[] = [
  generatorBound,
  loopHolds,
  garbageCollection,
  madePerRequest,
  smallPool,
  largePool,
  repeatedStatement,
  missingIndex,
  slowStatement,
  takenThreads,
  unevenWorkers,
  delayedAcknowledgements,
  closedConnections,
  workersBeyondCores,
  externalWait,
];

/** Symptoms of a cause, which are left out when the cause itself is found. */
const symptoms: Readonly<Partial<Record<Cause, readonly Cause[]>>> = {
  "event loop per request": ["thread pool exhausted", "waiting, not computing"],
  "executor per request": ["waiting, not computing"],
  "thread pool exhausted": ["waiting, not computing"],
  "pool too small": ["thread pool exhausted", "waiting, not computing"],
  "blocking call on the event loop": ["pool too small", "waiting, not computing"],
  "missing index": ["slow query"],
  // What it refuses, it cannot answer in time either.
  "pool larger than the database allows": ["slow query"],
};

/** All causes that the evidence speaks for, in the order in which they are shown. */
export function findCauses(evidence: Evidence): readonly Finding[] {
  const found = rules.flatMap((rule) => rule(evidence) ?? []);
  const left = found.filter((symptom) => !found.some((other) => explains(other, symptom)));
  const makers = new Set(left.flatMap((each) => (isMaking(each.cause) ? (lineOf(each) ?? []) : [])));
  return inOrder(
    left
      .filter((finding) => !isHolding(finding.cause) || !makers.has(lineOf(finding) ?? ""))
      .map((finding) => inShadow(finding, left)),
  );
}

/** A statement is the symptom of its own cause only: another one may be slow by itself. */
function explains(other: Finding, symptom: Finding): boolean {
  if (!isExplainedBy(symptom.cause, other.cause)) return false;
  if (symptom.cause !== "slow query" || other.endpoint === undefined) return true;
  const [line, otherLine] = [lineOf(symptom), lineOf(other)];
  return line === undefined || otherLine === undefined
    ? symptom.endpoint === other.endpoint
    : line === otherLine;
}

/** True when `other` explains `cause`: where `other` is found, it hides `cause`. */
export function isExplainedBy(cause: Cause, other: Cause): boolean {
  return symptoms[other]?.includes(cause) ?? false;
}

function isMaking(cause: Cause): boolean {
  return (
    cause === "unpooled connections" || cause === "event loop per request" || cause === "executor per request"
  );
}

/** A line that makes something for each request holds the loop, too. One remedy serves both. */
function isHolding(cause: Cause): boolean {
  return cause === "CPU work on the event loop" || cause === "blocking call on the event loop";
}

const statementCauses: readonly Cause[] = ["missing index", "slow query", "repeated query"];
const shortages: readonly Cause[] = ["pool too small", "thread pool exhausted"];

/**
 * Statements that take half of the time come before the shortages that they cause, and before what holds the loop in the
 * function that sends them. A repeated one does so at its own line for any share: what the line costs is its number.
 */
function inShadow(finding: Finding, all: readonly Finding[]): Finding {
  const isSender = (each: Finding) =>
    isHolding(finding.cause) &&
    (each.weight >= 0.5
      ? functionKey(each.place) === functionKey(finding.place)
      : each.cause === "repeated query" && lineOf(each) !== undefined && lineOf(each) === lineOf(finding));
  const causesOf = all.filter(
    (each) =>
      statementCauses.includes(each.cause) &&
      (shortages.includes(finding.cause)
        ? each.weight >= 0.5 && (each.endpoint === undefined || each.endpoint === finding.endpoint)
        : isSender(each)),
  );
  const most = Math.max(...causesOf.map(({ weight }) => weight));
  return causesOf.length === 0 ? finding : { ...finding, weight: Math.min(finding.weight, 0.99 * most) };
}

function lineOf({ place }: Finding): string | undefined {
  return place === undefined ? undefined : `${place.file}:${place.line}`;
}
