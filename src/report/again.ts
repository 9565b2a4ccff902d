import type { Comparison, Row } from "../compare/comparison.ts";
import { type Cell, endpointLabel } from "../model/plan/cell.ts";
import { shellWords } from "../text/quoting.ts";
import type { Paragraph } from "./document/report.ts";

/** The program of this version, for whoever has Node and nothing else. */
const packaged = [
  ...["npx", "--yes"],
  "https://github.com/org/fastapi-loadtest-action/releases/download/v1.0.0/fastapi-loadtest.tgz",
];

const howToMeasureAgain =
  "After a fix, committed or not, run this in a checkout of the pull request. It takes about a minute and shows whether the slowdown is gone.";

type Measured = Pick<Row, "cell"> & Partial<Pick<Row, "standing" | "effect">>;

/** The command that measures one cell again; `undefined` for a text that cannot be shown as it is. */
export function againCommand(
  row: Measured,
  {
    design,
    commits,
    settings = [],
    program = packaged,
  }: Pick<Comparison, "design" | "commits" | "settings" | "program">,
): string | undefined {
  const { cell } = row;
  const inputs = settings.find(({ app }) => app === cell.app)?.inputs ?? {};
  const given = { ...inputs, ...reportedOf(row) };
  const base = commits.base?.slice(0, 10) ?? "auto";
  return shellWords([
    ...[...program, "again", cell.id],
    ...(cell.app === undefined ? [] : ["--name", cell.app]),
    ...Object.entries(given).flatMap((each) => optionWords(cell, each)),
    ...(design?.kind === "control" ? ["--control"] : ["--base-ref", design === undefined ? "none" : base]),
  ]);
}

/** The slowdown that is certain: what may be left of it depends on its size. */
function reportedOf({ standing, effect }: Measured) {
  const certain = -(effect?.interval?.high ?? 0);
  const text = (Math.floor(1000 * certain) / 10).toFixed(1).replace(/\.0$/, "");
  return standing !== "slower" || text === "0" || certain <= 0 ? {} : { "reported-slowdown": `${text}%` };
}

/** The command below a paragraph about a slowdown, with what it is for; absent where there is none. */
export function againOf(row: Row, comparison: Comparison): Pick<Paragraph, "again"> {
  const command = againCommand(row, comparison);
  return command === undefined ? {} : { again: { words: howToMeasureAgain, command } };
}

function optionWords(cell: Cell, [name, text]: [string, string]): string[] {
  if (text === "true" || text === "false") return [`--${text === "true" ? "" : "no-"}${name}`];
  if (name === "workers") return ["--workers", String(cell.workers)];
  return [`--${name}`, name === "endpoints" ? (lineOfCell(cell, text) ?? text) : text];
}

function lineOfCell({ endpoint }: Cell, text: string): string | undefined {
  const label = endpointLabel(endpoint);
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => line.replace(/^(?:auto +)?(?:GET +)?/, "") === label);
}
