import { proseIn } from "./prose.mjs";

/** Also inside names: `told`, `wasTold`, `told_late`. */
const word = (...words) =>
  words
    .map((each) => {
      const capital = each[0].toUpperCase() + each.slice(1);
      return `(?<![A-Za-z])[${capital[0]}${each[0]}]${each.slice(1)}(?![a-z])|(?<=[a-z])${capital}(?![a-z])`;
    })
    .join("|");

/**
 * What we do not write, what to write instead, and why. A space in a pattern is also a line break in a comment.
 */
const vocabulary = [
  { pattern: "[Ss]low-[Dd]owns?", instead: "slowdown", why: "one word" },
  { pattern: word("mend", "mends", "mended", "mending"), instead: "fix, fixed", why: "code is fixed" },
  {
    pattern: word("told", "tells"),
    instead: "reported, shown, distinguishes",
    why: "a report shows, people tell",
  },
  { pattern: "in the place of", instead: "instead of", why: "a place is where something is" },
  { pattern: "(?:has|have|had) no use with", instead: "cannot be combined with", why: "names the problem" },
  { pattern: "known are", instead: "choose from", why: "inverted; says what to do" },
  {
    pattern: "none of ours",
    instead: "was not produced by this action",
    why: "a reader does not know who we are",
  },
  {
    pattern: "(?:fault|mistake|bug) of ours",
    instead: "internal error",
    why: "a reader does not know who we are",
  },
  {
    pattern: word("whom", "whereof", "thereby", "wherein", "whither"),
    instead: "two sentences",
    why: "stilted",
  },
  { pattern: `${word("surely")}|for sure`, instead: "certainly, or leave it out", why: "reads as doubt" },
  {
    pattern: "(?<![Mm]ak(?:e|es|ing) )(?:is|are|be|how|not|so|as|more|quite) sure",
    instead: "certain",
    why: "of evidence",
  },
  { pattern: "as good as", instead: "almost, or nearly", why: "means 'equal in quality', too" },
  {
    pattern: "(?:is|are|was|were|be|been|being|not|never) asked|asked for",
    instead: "requested, checked, imported",
    why: "programs get requests",
  },
  {
    pattern: String.raw`(?:(?<=[.;:,(] |["'\x60]|^)[Ss]ay|(?:so|then|must|please|to) say)(?= (?:which|what|where|it|so|\x60|\$\{|[a-z-]+:))`,
    instead: "set, name",
    why: "a user sets an input",
  },
  {
    pattern: "(?:[Rr]eport|[Cc]omment|[Ss]ummary|[Pp]age|[Tt]able|[Jj]ob)s? says?",
    instead: "shows, reports",
    why: "people say",
  },
  {
    pattern: word("beside"),
    instead: "next to, with, in addition to",
    why: "only of things that lie side by side",
  },
  {
    pattern: String.raw`(?<!\bas it |\bas they )\b[Ss]t(?:ands?|ood)\b(?![- ](?:for|in|by|out|alone|up)\b|-)`,
    instead: "is, appears, is shown",
    why: "text does not stand",
  },
  {
    pattern: "(?:is|are|was|were|be|been|not|never) looked (?:for|at|into)",
    instead: "diagnosed, checked",
    why: "stilted passive",
  },
  {
    pattern: "(?:get|gets|got|older|slower|more) (?:with|by) age|old pairs?",
    instead: "slows down over time, soak test",
    why: "a private metaphor",
  },
  { pattern: "for want of", instead: "too little", why: "dated" },
  { pattern: "is not up to|are not up to", instead: "cannot be set in", why: "blames" },
  {
    pattern: "count as none|too wide to call on",
    instead: "are treated as no change",
    why: "reads as translated",
  },
  {
    pattern:
      "app-folder|smallest-(?:latency-|memory-)?effect|fail-threshold|server-age|(?<!--)solo-first|(?<!-)same-layout",
    instead: "the input's present name",
    why: "never released",
  },
];

/** `What` and its like also open questions, headings and the first line of a comment. */
const openings = { everywhere: /^(?:Of|Whether)(?= )/, inText: /^(?:What|Where|Who|Whose)(?= [^?]*[.]$)/ };
const puzzle = { instead: "open with the noun or the verb", why: "a puzzle until the sentence ends" };
const percent = { instead: "3%", why: "English has no space there, and a phone breaks the line" };
const chain = { instead: "two sentences, or a list", why: "more than one `;` in a sentence" };

const rows = vocabulary.map(({ pattern, ...row }) => ({
  ...row,
  pattern: new RegExp(
    pattern.replaceAll(/(?<!\[[^\]]*) (?![^[]*\])/g, String.raw`(?: |\s*\n\s*(?:(?://|\*|#:?|>) ?)?)`),
    "gm",
  ),
}));

/** What a text says that it should not: the line, the words, what to write instead, and why. */
export function findingsIn(path, text) {
  const found = [
    ...rows.flatMap((row) =>
      [...text.matchAll(row.pattern)].map((match) => ({ ...row, at: match.index, words: match[0] })),
    ),
    ...proseIn(path, text).flatMap((unit) => sentencesIn(unit).flatMap(judgedSentence)),
  ];
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, words, instead, why }) => ({
      line: text.slice(0, at).split("\n").length,
      words: shortened(text.slice(at).slice(0, words.length)),
      instead,
      why,
    }));
}

function shortened(words) {
  const line = words.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** Commands and lists of names have semicolons, too. */
const isEnglish = /\b(?:the|an?|is|are|of|to)\b/;

function judgedSentence({ at, text, isComment }) {
  const opened = openings.everywhere.exec(text) ?? (isComment ? null : openings.inText.exec(text));
  const chained = isEnglish.test(text) && (text.match(/[\w)}`”"…]; (?=[\p{L}`$“"(\d…])/gu) ?? []).length > 1;
  return [
    ...(opened === null ? [] : [{ ...puzzle, at, words: opened[0] }]),
    ...[...text.matchAll(/[\d}] %(?!\w)/g)].map(({ 0: words, index }) => ({
      ...percent,
      at: at + index,
      words,
    })),
    ...(chained ? [{ ...chain, at, words: text }] : []),
  ];
}

/** Sentences of a unit of prose, with where they begin. */
function sentencesIn({ at, text, isComment = false }) {
  const sentences = [];
  for (const match of text.matchAll(/\S(?:.|\n)*?(?:[.!?](?=[)"”*_]*(?:\s|$))|$)/g)) {
    const lead = /^(?:[*_("“]+|- |\d+\. )*/.exec(match[0])[0];
    sentences.push({
      at: at + match.index + lead.length,
      text: match[0].slice(lead.length).replaceAll(/\s+/g, " ").trim(),
      isComment,
    });
  }
  return sentences;
}
