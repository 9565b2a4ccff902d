import { parseSync } from "vite";

/** Pieces of a file that are sentences: paragraphs of a document; comments and texts of a program. */
export function proseIn(path, text) {
  if (/\.[mc]?[jt]s$/.test(path)) return proseOfScript(path, text);
  if (path.endsWith(".py")) return proseOfPython(text);
  if (/\.ya?ml$/.test(path)) return proseOfYaml(text);
  return proseOfMarkdown(text);
}

const blank = (text) => text.replaceAll(/[^\n]/g, "\u2026");

function proseOfScript(path, text) {
  const { program, comments } = parseSync(path, text);
  const units = comments.map(({ start, end }) => ({
    at: start,
    end,
    text: withoutMarks(text.slice(start, end)),
    isComment: true,
  }));
  visit(program);
  return joined(units, text);

  function visit(node) {
    if (node.type === "Literal" && typeof node.value === "string")
      units.push({ at: node.start + 1, end: node.end, text: text.slice(node.start + 1, node.end - 1) });
    if (node.type === "TemplateLiteral") {
      let words = text.slice(node.start, node.end);
      for (const { start, end } of node.expressions)
        words =
          words.slice(0, start - node.start) + blank(text.slice(start, end)) + words.slice(end - node.start);
      units.push({ at: node.start + 1, end: node.end, text: words.slice(1, -1) });
    }
    for (const child of Object.values(node).flat())
      if (typeof child === "object" && child !== null && "type" in child) visit(child);
  }
}

/** What a docstring says counts as a comment. */
function proseOfPython(text) {
  const tokens = /#[^\n]*|("""|''')[\s\S]*?\1|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
  const units = [...text.matchAll(tokens)].map(({ 0: token, 1: quotes, index }) => ({
    at: index,
    end: index + token.length,
    text: withoutMarks(token).replaceAll(/^["']+|["']+$/g, (marks) => " ".repeat(marks.length)),
    isComment: token.startsWith("#") || quotes !== undefined,
  }));
  return joined(units, text);
}

/** Comments, and the values of `name` and `description`, which may go on in deeper lines. */
function proseOfYaml(text) {
  const comments = [...text.matchAll(/(?<=^|\s)#[^\n]*/g)].map(({ 0: token, index }) => ({
    at: index,
    end: index + token.length,
    text: withoutMarks(token),
    isComment: true,
  }));
  const values = [
    ...text.matchAll(/^( *)description: (?:>-?)?([^\n]*(?:\n\1 +[^\n]*)*)|(?<=^ *- name: )[^\n]*/gm),
  ];
  const texts = values.map(({ 0: whole, 2: value = whole, index }) => ({
    at: index + whole.length - value.length,
    end: index + whole.length,
    text: value,
  }));
  return joined([...comments, ...texts], text);
}

function proseOfMarkdown(text) {
  const prose = text.replaceAll(/^(```+|~~~+)[\s\S]*?^\1/gm, blank).replaceAll(/`[^`\n]*`/g, blank);
  return [
    ...prose.matchAll(
      /(?:^|\n(?=[ \t]*(?:[-*] |\d+\. |#|\||\n)))(?:[^\n]|\n(?![ \t]*(?:[-*] |\d+\. |#|\||\n)))+/g,
    ),
  ]
    .flatMap(({ 0: paragraph, index }) => cellsOf(paragraph, index))
    .filter(({ text: words }) => !/^\s*#/.test(words));
}

/** A row of a table has a unit in each cell. */
function cellsOf(paragraph, index) {
  if (!/^\s*\|/.test(paragraph)) return [{ at: index, text: paragraph }];
  const names = /"[^"|]*"/g;
  return [...paragraph.replaceAll(names, blank).matchAll(/[^|]+/g)].map(({ 0: words, index: at }) => ({
    at: index + at,
    text: words,
  }));
}

/** The same length, without what makes it a comment. */
function withoutMarks(comment) {
  return comment.replaceAll(/^\s*(?:\/\/|\/\*\*?|\*\/|\*|#:?)|\*\/$/gm, (marks) =>
    marks.replaceAll(/[^\n]/g, " "),
  );
}

/** Comments on lines that follow each other are one text. */
function joined(units, text) {
  const texts = [];
  for (const unit of units.toSorted((a, b) => a.at - b.at)) {
    const last = texts.at(-1);
    const gap = last === undefined ? "" : text.slice(last.end, unit.at);
    if (last?.isComment && unit.isComment && /^\n[ \t]*$/.test(gap))
      texts.splice(-1, 1, { ...last, end: unit.end, text: last.text + gap + unit.text });
    else texts.push(unit);
  }
  return texts;
}
