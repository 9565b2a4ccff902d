import { InputError } from "../errors/errors.ts";
import type { Trending } from "../history/trends/trending.ts";
import { openTrends, type Trends, trendsOf } from "../history/trends/trends.ts";
import { renderTrends } from "../history/trends/trends-page.ts";
import { renderTrendsSummary, trendsLines } from "../history/trends/words.ts";
import type { TrendsPorts } from "../ports/report.ts";

/** Reads a history, has its change points found, and writes the page. Without an engine there is a page all the same. */
export async function trends({ history }: Trending, ports: TrendsPorts): Promise<Trends> {
  const texts = await ports.readHistory(history);
  if (typeof texts === "string") throw new InputError([`history: ${history} ${texts}`]);
  const open = openTrends(texts);
  for (const text of open.history.warnings) ports.progress({ kind: "warning", text });
  if (open.history.trends.length === 0)
    throw new InputError([`history: ${history} contains no results of this action`]);
  const answer = open.question === undefined ? undefined : await ports.findChanges(open.question);
  if (answer?.kind === "no answer")
    ports.progress({ kind: "warning", text: `no change points: ${answer.reason}` });
  const made = trendsOf(open, answer);
  const html = await ports.save("trends.html", renderTrends(made, await ports.readPageScript()));
  ports.print([...trendsLines(made), `Report: ${html}`].map((line) => `${line}\n`).join(""));
  await ports.setOutputs({ html });
  await ports.addSummary(renderTrendsSummary(made));
  return made;
}
