// Fails when a ratio of the weekly benchmark is worse than the noise of the weeks before explains; one sentence for each.
// Arguments: the file with what `npm run bench -- overhead` printed, and the
// history's `trust/ratios.json`, which is `{}` before the first week.
import { appendFileSync, readFileSync } from "node:fs";
import jstat from "jstat";
import * as z from "zod";

/** Times of ours divided by times of the same machine, so that another machine changes them little. Less is better. */
export const ratios = [
  "generatorCpuClosedRatio",
  "generatorCpuOpenRatio",
  "runSecondsPerLoadSecond",
  "undiagnosedSecondsPerLoadSecond",
  "runPerShellScriptRatio",
  "undiagnosedPerShellScriptRatio",
];

const fewestWeeks = 4;
const mostWeeks = 12;
/** With six ratios a week, noise is called worse about once in three years. */
const confidence = 0.999;
/** Of a ratio's logarithm: a few weeks that agree by chance do not make a change of 1% a regression. */
const leastDeviation = 0.02;

const figureSchema = z.number().positive();
const historySchema = z.object({
  weeks: z
    .array(z.object({ figures: z.record(z.string(), figureSchema), worse: z.array(z.string()) }))
    .default([]),
});

/**
 * Judges what the benchmark printed by the text of the history. `record` is this week's entry there, `problems` are
 * sentences that fail the check, and `notes` are all others.
 */
export function judgedWeek(printed, historyText) {
  const { value: figures, problem: noFigures } = parsed(
    printed.trimEnd().split("\n").at(-1),
    z.looseObject({}),
  );
  if (noFigures !== undefined)
    return { problems: [`The benchmark's last line is not its figures: ${noFigures}.`], notes: [] };
  const { value: history, problem: noHistory } = parsed(historyText, historySchema);
  const judged = ratios.map((name) => ({
    name,
    ...judgedRatio(figures[name], comparable(name, history?.weeks ?? [])),
  }));
  const valid = judged.filter(({ state }) => state !== "missing").map(({ name }) => [name, figures[name]]);
  const sentences = (isFine) =>
    judged.filter(({ state }) => (state === "fine") === isFine).map(({ name, words }) => `${name} ${words}.`);
  const unreadable = `The ratios were compared with nothing, because trust/ratios.json of the history branch is not what this workflow writes (${noHistory}): mend it, or delete it to begin anew.`;
  return {
    record: {
      figures: Object.fromEntries(valid),
      worse: judged.filter(({ state }) => state === "worse").map(({ name }) => name),
    },
    problems: [...sentences(false), ...(noHistory === undefined ? [] : [unreadable])],
    notes: sentences(true),
  };
}

function parsed(text, schema) {
  try {
    const { data, error } = schema.safeParse(JSON.parse(text));
    const [issue] = error?.issues ?? [];
    return { value: data, problem: issue && `${["$", ...issue.path].join(".")}: ${issue.message}` };
  } catch (error) {
    return { value: undefined, problem: error.message };
  }
}

/**
 * Values of a ratio in the last weeks, without those that were worse. If those counted, the second week of a regression
 * would already pass, as its noise. So a regression stays red until it is mended, or for nine weeks: then fewer than four
 * others are among the last twelve, and the norm begins anew. Who has left it red for so long has accepted it.
 */
function comparable(name, weeks) {
  return weeks
    .slice(-mostWeeks)
    .filter(({ worse }) => !worse.includes(name))
    .flatMap(({ figures }) => figures[name] ?? []);
}

function judgedRatio(value, earlier) {
  if (!figureSchema.safeParse(value).success)
    return {
      state: "missing",
      words: `is missing: the benchmark printed ${JSON.stringify(value) ?? "nothing"}, not a number above 0`,
    };
  if (earlier.length < fewestWeeks)
    return {
      state: "fine",
      words: `is ${value}, not compared: it needs ${fewestWeeks} earlier weeks and has ${earlier.length}`,
    };
  const { usual, limit } = explained(earlier);
  const noise = `${earlier.length} earlier weeks around ${short(usual)} explain up to ${short(limit)}`;
  return value > limit
    ? { state: "worse", words: `is worse: ${value}, where ${noise}` }
    : { state: "fine", words: `is ${value}, not worse: ${noise}` };
}

/** The upper end of the one-sided prediction interval for one more week, by Student's t on a logarithmic scale. */
function explained(earlier) {
  const logs = earlier.map((value) => Math.log(value));
  const middle = jstat.mean(logs);
  const deviation = Math.max(leastDeviation, jstat.stdev(logs, true));
  const quantile = jstat.studentt.inv(confidence, logs.length - 1);
  const limit = Math.exp(middle + quantile * deviation * Math.sqrt(1 + 1 / logs.length));
  return { usual: Math.exp(middle), limit };
}

function short(value) {
  return Number(value.toPrecision(3));
}

if (process.argv[1]?.endsWith("ratios.mjs")) {
  const [printed, history] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
  const { record, problems, notes } = judgedWeek(printed, history);
  for (const note of notes) console.log(note);
  for (const problem of problems) console.error(problem);
  const { GITHUB_OUTPUT = "/dev/stdout" } = process.env;
  if (record !== undefined) appendFileSync(GITHUB_OUTPUT, `record=${JSON.stringify(record)}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
