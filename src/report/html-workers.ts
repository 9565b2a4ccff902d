import { codeInSentence, html, type Markup } from "../text/html.ts";
import {
  moreSentences,
  type WorkersLine,
  type WorkersSection,
  type WorkersSentence,
} from "./workers-table.ts";

/** How many workers to run, with the figures behind it; undefined when nobody asked for several counts. */
export function workersMarkup(section: WorkersSection | undefined): Markup | undefined {
  if (section === undefined) return undefined;
  const { sentences, more, titles, lines, notes } = section;
  return html`<h2>How many workers?</h2>
${sentences.map((each) => html`<p>${sentenceOf(each)}</p>`)}${more > 0 ? html`<p>${moreSentences(more)}</p>` : undefined}
<div class="scroll"><table>
<thead><tr>${titles.map((title, index) => html`<th scope="col"${index === 0 ? undefined : html` class="number"`}>${title}</th>`)}</tr></thead>
<tbody>${lines.map((line) => lineOf(line, titles.length - 2))}
</tbody></table></div>
${notes.map((note) => html`<p class="small">${codeInSentence(note)}</p>`)}`;
}

function sentenceOf({ subject, endpoints, text }: WorkersSentence): Markup {
  const names = [
    ...endpoints.map((endpoint) => html`<code>${endpoint}</code>`),
    ...(subject === "" ? [] : [html`${subject}`]),
  ];
  return html`${names.map((name, index) => html`${index > 0 ? ", " : ""}${name}`)}: ${text}`;
}

function lineOf({ endpoint, workers, figures, problem }: WorkersLine, width: number): Markup {
  const rest =
    problem === ""
      ? figures.map((text) => html`<td class="number">${text}</td>`)
      : html`<td colspan="${width}">${problem}</td>`;
  return html`
<tr><th scope="row"><code>${endpoint}</code></th><td class="number">${workers}</td>${rest}</tr>`;
}
