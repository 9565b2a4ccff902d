// The A/A control as a judge of our own: fails when a cell of two equal versions is called slower or faster, however small,
// and when no cell has an answer, because then nothing was controlled. FIGURES: the action's output `figures`.

/** Problems that the figures of a control show; empty when there are none. */
export function controlProblems({ cells }) {
  const alarms = cells
    .filter(({ verdict }) => verdict === "slower" || verdict === "faster")
    .map(({ id, verdict, isSmall }) => `${id}: called ${verdict}${isSmall ? ", small" : ""}: a false alarm`);
  const isAnswered = cells.some(({ verdict }) => ["slower", "faster", "unchanged"].includes(verdict));
  const verdicts = cells.map(({ id, verdict, status }) => `${id} ${verdict ?? status}`).join(", ");
  return isAnswered ? alarms : [`no cell has an answer: ${verdicts}`];
}

if (process.argv[1]?.endsWith("false-alarms.mjs")) {
  const problems = controlProblems(JSON.parse(process.env.FIGURES ?? ""));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
