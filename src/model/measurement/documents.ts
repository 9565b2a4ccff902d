import type * as z from "zod";
import { InputError } from "../../errors/errors.ts";
import { sum } from "../../statistics/estimate.ts";
import { jsonOf } from "../../text/json.ts";
import { byteLength, shortenEnd } from "../../text/length.ts";
import { plural } from "../../text/numbers.ts";
import { type Plan, planSchema } from "../plan/plan.ts";
import {
  type ArmRecord,
  addBlocks,
  type Block,
  type Measurement,
  measurementSchema,
  type Replicate,
} from "./measurement.ts";

export interface Document {
  readonly name: string;
  readonly text: string;
  /** Reason why it could not be read; it has no text then. */
  readonly problem?: string;
}

/** A reason may hold a stranger's words. */
const longestReason = 300;

/** Reads a plan; throws an `InputError` with the mistake in it. */
export function parsePlan(text: string): Plan {
  const result = planSchema.safeParse(jsonOf(text));
  if (!result.success)
    throw new InputError([`plan: is not a plan that this version wrote: ${firstIssue(result.error)}`]);
  return result.data;
}

/**
 * Reads foreign cell documents, one after the other. A wrong one costs only itself, and a copy next to its original counts
 * once.
 *
 * @param keep what is kept of each, e.g. a smaller form, before the next one is read
 */
export function parseMeasurements(
  documents: Iterable<Document>,
  keep = (measurement: Measurement) => measurement,
): {
  readonly measurements: readonly Measurement[];
  readonly warnings: readonly string[];
} {
  const measurements: Measurement[] = [];
  const warnings: string[] = [];
  const seen = { file: "", texts: [] as string[] };
  for (const { name, text, problem } of documents) {
    const file = name.split(/[\\/]/).at(-1) ?? name;
    if (file !== seen.file) Object.assign(seen, { file, texts: [] });
    if (seen.texts.includes(text)) continue;
    seen.texts.push(text);
    if (problem !== undefined) {
      warnings.push(`Ignored ${file}: it ${problem}.`);
      continue;
    }
    const result = measurementSchema.safeParse(jsonOf(text));
    if (!result.success)
      warnings.push(`Ignored ${file}: not a result of this version (${firstIssue(result.error)}).`);
    else if (file !== `${result.data.cell.id}.json`)
      warnings.push(`Ignored ${file}: it claims to be another cell's.`);
    else measurements.push(keep(result.data));
  }
  return { measurements, warnings };
}

/** The plan that a folder's results imply, when no plan came with them. */
export function planOf(measurements: readonly Measurement[]): Plan | undefined {
  const cells = new Map(measurements.map(({ cell }) => [cell.id, cell]));
  return cells.size === 0 ? undefined : { schemaVersion: 1, cells: [...cells.values()] };
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const reason = issue && `${issue.path.join(".") || "document"}: ${issue.message}`;
  return shortenEnd(reason ?? "unknown form", longestReason);
}

/** What too long documents lose, in this order, from unchanged cells first. No verdict changes. */
export const documentDroppingOrder = [
  "flame graphs",
  "the course of each replicate over time: it becomes one stretch with the same sums",
  "all figures: the document only says that they were left out",
] as const;

/** Most bytes of a report's documents: `post` reads no more of an artifact. */
const mostDocumentBytes = 56_000_000;

export interface SizedCell {
  readonly measurement: Measurement;
  readonly bytes: number;
}

interface Shortened {
  /** Measurements that lost something, as they are to be written now. */
  readonly changed: readonly Measurement[];
  /** Number of cells that lost each part, as in `documentDroppingOrder`. */
  readonly dropped: readonly number[];
}

export function documentText(measurement: Measurement): string {
  return `${JSON.stringify(measurement)}\n`;
}

/** Drops parts until all documents together have at most `limit` bytes. */
export function shortenedDocuments(
  cells: readonly SizedCell[],
  isNotable: (measurement: Measurement) => boolean,
  limit: number = mostDocumentBytes,
): Shortened {
  let over = sum(cells.map(({ bytes }) => bytes)) - limit;
  const quiet = cells.filter(({ measurement }) => !isNotable(measurement));
  const others = cells.filter((cell) => !quiet.includes(cell));
  const changed = new Map<string, SizedCell>();
  const dropped = [withoutFlames, withoutCourse, withoutFigures].map((without) => {
    let count = 0;
    for (const cell of [...quiet.toReversed(), ...others.toReversed()]) {
      if (over <= 0) break;
      const { id } = cell.measurement.cell;
      const before = changed.get(id) ?? cell;
      const measurement = without(before.measurement);
      if (measurement === before.measurement) continue;
      const bytes = byteLength(documentText(measurement));
      changed.set(id, { measurement, bytes });
      over -= before.bytes - bytes;
      count += 1;
    }
    return count;
  });
  return { changed: [...changed.values()].map(({ measurement }) => measurement), dropped };
}

/** One sentence about what was dropped; empty when nothing was. */
export function droppedSentence([flames = 0, courses = 0, figures = 0]: readonly number[]): string {
  const parts = [
    ...(flames > 0 ? [`flame graphs of ${plural(flames, "cell")}`] : []),
    ...(courses > 0 ? [`the time series of ${plural(courses, "cell")}`] : []),
    ...(figures > 0 ? [`all figures of ${plural(figures, "cell")}`] : []),
  ];
  return parts.length === 0
    ? ""
    : `Too large for this report's artifact, but available in the artifacts of the measuring jobs: ${parts.join(", ")}.`;
}

/** The same object where there is none. */
function withoutFlames(measurement: Measurement): Measurement {
  const { base, head } = measurement.diagnosis ?? {};
  if (base?.flame === undefined && head?.flame === undefined) return measurement;
  const bare = ({ flame: _, ...rest }: NonNullable<typeof head>) => rest;
  return {
    ...measurement,
    diagnosis: { ...(base && { base: bare(base) }), ...(head && { head: bare(head) }) },
  };
}

/** A document that another report shows as a cell without figures. */
function withoutFigures({ schemaVersion, cell, startedAt, commits }: Measurement): Measurement {
  const reason = "its figures were left out because the artifact was too large";
  return {
    ...{ schemaVersion, cell, startedAt, commits },
    status: "failed",
    failure: { phase: "read results", reason, logTail: "" },
    replicates: [],
  };
}

/** The same object where nothing of it can be spared: the interval of an arm alone comes from its stretches of time. */
function withoutCourse(measurement: Measurement): Measurement {
  const { replicates } = measurement;
  if (!replicates.some(hasCourse)) return measurement;
  return {
    ...measurement,
    replicates: replicates.map((each) => (hasCourse(each) ? withOneBlock(each) : each)),
  };
}

function hasCourse({ pairs, arms }: Replicate): boolean {
  return pairs !== undefined && Object.values(arms).some(({ blocks }) => blocks.length > 1);
}

function withOneBlock(replicate: Replicate): Replicate {
  const { base, head } = replicate.arms;
  const short = (arm: ArmRecord): ArmRecord => ({ ...arm, blocks: addedUp(arm.blocks) });
  return { ...replicate, arms: { ...(base && { base: short(base) }), ...(head && { head: short(head) }) } };
}

function addedUp([first, ...others]: readonly Block[]): Block[] {
  return first === undefined ? [] : [others.reduce(addBlocks, first)];
}
