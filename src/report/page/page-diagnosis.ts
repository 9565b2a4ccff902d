import type { ArmDiagnosis, Flame, FoundCause, Seen } from "../../model/findings/diagnosis.ts";
import { sentenceOf, textOf } from "../../model/findings/finding.ts";
import type { PartName, Place } from "../../model/findings/probe-document.ts";
import { short } from "../../text/numbers.ts";
import { visibleLine } from "../../text/visible.ts";
import { evidenceText } from "../causes/cause-text.ts";

interface PagePlace {
  /** `app/users.py:12`. */
  readonly at: string;
  readonly function: string;
  readonly code: string;
}

interface PageFinding {
  readonly cause: string;
  readonly summary: string;
  readonly evidence: string;
  readonly advice: string;
  readonly place: PagePlace | undefined;
  readonly isInDiff: boolean;
}

export interface PageDiagnosis {
  readonly findings: readonly PageFinding[];
  readonly unseen: readonly string[];
  /** Parts of a mean request in milliseconds, named in our own words; empty when diagnosis did not see them. */
  readonly time: readonly (readonly [name: string, ms: number])[];
  readonly stalls: readonly PageAmount[];
  readonly statements: readonly (PageAmount & { readonly text: string })[];
  readonly flame: Flame | undefined;
}

export interface PageAmount {
  readonly place: PagePlace | undefined;
  readonly perRequest: number;
  readonly meanMs: number;
  readonly longestMs: number;
}

/** In the order in which a request meets them; `total` and `inThreads` overlap with others. */
const partWords: readonly (readonly [part: Exclude<PartName, "total" | "inThreads">, words: string])[] = [
  ["loopWait", "waiting for the event loop"],
  ["threadWait", "waiting for a thread"],
  ["poolWait", "waiting for a connection"],
  ["connect", "connecting to the database"],
  ["database", "in the database"],
  ["blocked", "blocking the event loop"],
  ["cpu", "computing"],
  ["elsewhere", "other waiting"],
];

export function pageDiagnosisOf({ findings = [], unseen, seen, flame }: ArmDiagnosis): PageDiagnosis {
  return {
    findings: findings.map(findingOf),
    unseen: unseen.map(visibleLine),
    time: seen === undefined ? [] : partWords.map(([part, words]) => [words, short(seen.partsMs[part])]),
    stalls: (seen?.stalls ?? []).map((stall) => amountOf(stall, seen)),
    statements: (seen?.statements ?? []).map((statement) => ({
      ...amountOf(statement, seen),
      text: visibleLine(statement.text),
    })),
    flame: flame && { ...flame, names: flame.names.map(visibleLine) },
  };
}

function amountOf(
  { place, count, totalMs, longestMs }: Seen["stalls"][number] | Seen["statements"][number],
  seen: Seen | undefined,
): PageAmount {
  return {
    place: place && placeOf(place, undefined),
    perRequest: short(count / Math.max(1, seen?.requests ?? 0)),
    meanMs: short(totalMs / Math.max(1, count)),
    longestMs: short(longestMs),
  };
}

function findingOf(finding: FoundCause): PageFinding {
  const { cause, advice, place, path, isInDiff } = finding;
  return {
    cause,
    summary: visibleLine(`${textOf(sentenceOf(finding))}.`),
    evidence: visibleLine(evidenceText(finding)),
    advice: visibleLine(advice),
    place: place && placeOf(place, path),
    isInDiff: isInDiff === true,
  };
}

function placeOf({ file, line, function: name, code }: Place, path: string | undefined): PagePlace {
  return {
    at: `${visibleLine(path ?? file)}:${line}`,
    function: visibleLine(name),
    code: visibleLine(code),
  };
}
