/** Lines in which an installer explains its failure, best first. */
const signs: readonly RegExp[] = [
  /^ERROR: (?:Could not find a version|No matching distribution|Package .+ requires)/,
  /Unable to find installation candidates for/,
  /[Nn]o solution found|version solving failed/,
  /^error: /,
  /^[\w.]*(?:Error|Exception): /,
  /^\s*ERROR: /,
  /error|fail|cannot|could not/i,
];

const useless = /subprocess-exited-with-error|originates from a subprocess|^error: Command /;

/** The line of an installer's log with the reason of its failure; nothing without such a line. Foreign text. */
export function reasonIn(log: string): string {
  const lines = log
    .split("\n")
    .slice(-500)
    .map((line) => line.replace(/^[\s|╰│─▶×-]+/u, "").trim())
    .filter((line) => line !== "" && line.length < 2_000 && !useless.test(line));
  for (const sign of signs) {
    const found = lines.find((line) => sign.test(line));
    if (found !== undefined) return found.slice(0, 200);
  }
  return lines.at(-1)?.slice(0, 200) ?? "";
}
