import type { Mended } from "./mended.ts";
import type { Project } from "./project.ts";
import type { WrittenValue } from "./source-file.ts";

/** Names that code looks for in a reply and does not find, in the words of Python and of pydantic. */
const missing = [
  /^[\s|]{0,40}KeyError: ['"](\w{1,60})['"]/gm,
  /(?:^|\s)([A-Za-z_]\w{0,60})\s{1,20}Field required \[type=missing/g,
];
const noText = /(?:^|\s)([A-Za-z_]\w{0,60})\s{1,20}Input should be a valid string/g;

/** Fields of a made-up reply. */
interface Wanted {
  readonly numbers: readonly string[];
  /** Those that have a number and must be text. */
  readonly texts: readonly string[];
}

/** A project whose stubs answer with the fields that the app looked for and did not find. */
export function withStubAnswers(project: Project, said: string): Mended | undefined {
  const own = project.findings.find(({ key }) => key === "stubs");
  if (own === undefined) return undefined;
  const text = said.slice(-20_000);
  const namesIn = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const wanted = { numbers: missing.flatMap(namesIn), texts: namesIn(noText) };
  const value = answering(own.value, wanted);
  if (JSON.stringify(value) === JSON.stringify(own.value)) return undefined;
  const names = [...new Set([...wanted.numbers, ...wanted.texts])].join(", ");
  return {
    project: {
      ...project,
      findings: project.findings.map((each) => (each === own ? { ...own, value } : each)),
    },
    told: `the app looks for ${names} in what others answer, so its stubs answer with made-up values; correct them in \`stubs\``,
  };
}

/** The same value with those fields in each body, at any depth. */
function answering(value: WrittenValue, wanted: Wanted): WrittenValue {
  if (typeof value !== "object") return value;
  if (isList(value)) return value.map((each) => answering(each, wanted));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === "body" ? filled(each, wanted) : answering(each, wanted),
    ]),
  );
}

function filled(body: WrittenValue, { numbers, texts }: Wanted): WrittenValue {
  const before: Readonly<Record<string, WrittenValue>> = Object(body);
  const known = texts.filter((name) => before[name] === 1);
  const added = numbers.filter((name) => before[name] === undefined);
  return {
    ...before,
    ...Object.fromEntries(added.map((name) => [name, 1])),
    ...Object.fromEntries(known.map((name) => [name, "text"])),
  };
}

function isList(value: WrittenValue): value is readonly WrittenValue[] {
  return Array.isArray(value);
}
