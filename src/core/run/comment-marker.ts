import * as z from "zod";

const prefix = "<!-- fastapi-loadtest ";
const suffix = " -->";
/** Characters of a whole marker line. Far above what `renderMarker` makes of a report id of sensible length. */
const maxLength = 8_000;

/** Which report a comment shows, and of which run: enough to find it again and to know the newer of two. */
export interface CommentState {
  readonly reportId: string;
  readonly runNumber: number;
  readonly attempt: number;
  readonly headSha: string;
}

const markerSchema = z.strictObject({
  report: z.string().max(1_000),
  run: z.int().nonnegative(),
  attempt: z.int().positive(),
  head: z.string().regex(/^[0-9a-f]{40,64}$/),
});

/** The hidden first line of a comment. Plain ASCII without `<`, `>`, `&`, `@` or `#` inside, whatever the report id. */
export function renderMarker(state: CommentState): string {
  const json = JSON.stringify({
    report: state.reportId,
    run: state.runNumber,
    attempt: state.attempt,
    head: state.headSha,
  });
  // Escaped this way it is still the same JSON, but nothing in it can end the HTML comment or wake up GitHub's
  // own syntax: outside its strings JSON only has the characters that stay.
  const escaped = json.replace(/[^\w "{}:,./\\-]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${prefix}${escaped}${suffix}`;
}

/**
 * Reads the first line of a comment: `undefined` when it is no marker of ours at all, `"unknown"` when it is one that
 * cannot be read. Anyone with write access may have edited it, so nothing in it is trusted.
 */
export function parseMarker(body: string): CommentState | "unknown" | undefined {
  if (!body.startsWith(prefix)) return undefined;
  const line = body.slice(0, maxLength).replace(/[\r\n].*$/s, "");
  if (!line.endsWith(suffix)) return "unknown";
  const marker = markerSchema.safeParse(parseJson(line.slice(prefix.length, -suffix.length))).data;
  if (marker === undefined) return "unknown";
  return { reportId: marker.report, runNumber: marker.run, attempt: marker.attempt, headSha: marker.head };
}

/** Whether a comment's marker says that it shows this report. The author has to be checked besides: anyone can quote. */
export function isOurs(body: string, reportId: string): boolean {
  const state = parseMarker(body);
  return state !== undefined && state !== "unknown" && state.reportId === reportId;
}

/** Whether what a comment shows is of a later run than mine, or of a later attempt of the same run. */
export function isNewer(existing: CommentState, mine: CommentState): boolean {
  if (existing.runNumber !== mine.runNumber) return existing.runNumber > mine.runNumber;
  return existing.attempt > mine.attempt;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // garbage: the schema refuses it
  }
}
