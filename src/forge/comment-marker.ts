import * as z from "zod";
import { defined } from "../lists/defined.ts";
import { jsonOf } from "../text/json.ts";

const prefix = "<!-- fastapi-loadtest ";
const suffix = " -->";
/** Characters of a whole marker line. Far above what `renderMarker` makes of a report id of sensible length. */
const maxLength = 8_000;

/** A run and its commit, with all that decides which of two runs is newer. */
export interface RunState {
  readonly runNumber: number;
  readonly attempt: number;
  readonly headSha: string;
  /** GitHub's own number of the run, which grows over all workflows. Absent: not known. */
  readonly runId?: number | undefined;
}

/** The report and the run that a comment shows: enough to find it again and to tell the newer of two. */
export interface CommentState extends RunState {
  readonly reportId: string;
  /** Job of the run whose results these are. Absent: unknown. */
  readonly job?: string | undefined;
  /** Comments, reviews and labels by which slowdowns are accepted: `c12`, `r34`, `l56`. Absent: none. */
  readonly accepted?: readonly string[] | undefined;
  /** Set when the run has only begun: the run whose results are shown, if any. Absent: they are this run's own. */
  readonly pending?: { readonly shows: RunState | undefined };
}

/** A marker has no room for more; its pattern counts them, too. */
const mostAccepted = 20;

const run = {
  run: z.int().nonnegative(),
  attempt: z.int().positive(),
  head: z.string().regex(/^[0-9a-f]{40,64}$/),
  id: z.int().positive().optional(),
};
/** A job's own name and a number, of characters that can say nothing. */
export const jobName = z.string().regex(/^[\w.-]{1,150}$/);
const runSchema = z.strictObject(run);
const markerSchema = z.strictObject({
  report: z.string().max(1_000),
  ...run,
  job: jobName.optional(),
  // A list would need brackets, which the comment cannot have.
  accepted: z
    .string()
    .regex(/^[crl]\d{1,15}(?: [crl]\d{1,15}){0,19}$/)
    .transform((text) => text.split(" "))
    .optional(),
  /** The run whose results are below the announcement; `null`: there are none. */
  shows: runSchema.nullish(),
});

/** The hidden first line of a comment. Plain ASCII without `<`, `>`, `&`, `@` or `#` inside, whatever the report id. */
export function renderMarker(state: CommentState): string {
  const json = JSON.stringify({
    report: state.reportId,
    ...written(state),
    job: state.job,
    accepted: state.accepted?.slice(0, mostAccepted).join(" ") || undefined,
    ...(state.pending && { shows: state.pending.shows === undefined ? null : written(state.pending.shows) }),
  });
  // Escaped this way it is still the same JSON, but nothing in it can end the HTML comment or wake up GitHub's
  // own syntax: outside its strings JSON only has the characters that stay.
  const escaped = json.replace(/[^\w "{}:,./\\-]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${prefix}${escaped}${suffix}`;
}

/** A comment's first line; `undefined`: no marker, `"unknown"`: unreadable. Anyone may have edited it. */
export function parseMarker(body: string): CommentState | "unknown" | undefined {
  if (!body.startsWith(prefix)) return undefined;
  const line = body.slice(0, maxLength).replace(/[\r\n].*$/s, "");
  if (!line.endsWith(suffix)) return "unknown";
  const marker = markerSchema.safeParse(jsonOf(line.slice(prefix.length, -suffix.length))).data;
  if (marker === undefined) return "unknown";
  const { report: reportId, job, accepted, shows } = marker;
  const state = { reportId, ...read(marker), ...defined({ job, accepted }) };
  return shows === undefined
    ? state
    : { ...state, pending: { shows: shows === null ? undefined : read(shows) } };
}

function written({ runNumber, attempt, headSha, runId }: RunState): z.infer<typeof runSchema> {
  return { run: runNumber, attempt, head: headSha, ...defined({ id: runId }) };
}

function read({ run: runNumber, attempt, head: headSha, id }: z.infer<typeof runSchema>): RunState {
  return { runNumber, attempt, headSha, ...defined({ runId: id }) };
}

/** The run whose results a comment shows; `undefined` when there are none. */
export function shownRun(state: CommentState): RunState | undefined {
  return state.pending === undefined ? state : state.pending.shows;
}

/** True when a comment's marker says that it shows this report. Check its author, too: anyone can quote a marker. */
export function isOurs(body: string, reportId: string): boolean {
  const state = parseMarker(body);
  return state !== undefined && state !== "unknown" && state.reportId === reportId;
}

/**
 * True when a run is later than mine, or a later attempt of the same run. The numbers of a workflow's runs begin anew
 * when it is renamed, so they count only where one of the two has no better number. Then the older run is the one that
 * lacks it.
 */
export function isLater(existing: RunState, mine: RunState): boolean {
  if (existing.runId !== undefined && mine.runId !== undefined && existing.runId !== mine.runId)
    return existing.runId > mine.runId;
  if ((existing.runId === undefined) !== (mine.runId === undefined)) return mine.runId === undefined;
  if (existing.runNumber !== mine.runNumber) return existing.runNumber > mine.runNumber;
  return existing.attempt > mine.attempt;
}

/** True when a comment is of a later run than mine, or is the report of the very run that I am about to announce. */
export function isNewer(existing: CommentState, mine: CommentState): boolean {
  const isSameRun =
    existing.runNumber === mine.runNumber &&
    existing.attempt === mine.attempt &&
    (existing.runId === undefined || mine.runId === undefined || existing.runId === mine.runId);
  if (isSameRun) return existing.pending === undefined && mine.pending !== undefined;
  return isLater(existing, mine);
}

/** True when another job of the same run has put its results there: both reports have one name. */
export function isRival(existing: CommentState, mine: CommentState): boolean {
  return (
    existing.pending === undefined &&
    existing.job !== undefined &&
    mine.job !== undefined &&
    existing.job !== mine.job &&
    existing.runNumber === mine.runNumber &&
    existing.runId === mine.runId
  );
}
