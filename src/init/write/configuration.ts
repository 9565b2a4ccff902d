import { type Document, isMap, isPair, isScalar, isSeq, type Pair, parseDocument, stringify } from "yaml";
import { visibleLine } from "../../text/visible.ts";
import type { FoundSetting, Project, Proposal } from "../project.ts";
import type { SuggestedEndpoint } from "../requests/endpoints.ts";
import { addOpened, emptyList, withNewComments } from "./merged-endpoints.ts";

const schemaUrl = "https://raw.githubusercontent.com/org/fastapi-loadtest-action/v1/schema/loadtest.json";

/** With more endpoints each gets one row, so that all have their time. */
const mostWithTwoRows = 10;

/** Keys that people want sooner or later, shown without effect. */
const suggestions = (endpoints: readonly SuggestedEndpoint[]) => `
# Limits that fail the check, in k6's syntax:
# thresholds:
#   http_req_duration: p(95)<300
#   http_req_failed: rate<0.01
#   sql_per_request: ${budgetOf(endpoints)}

# What fails the check: regression | slower | latency | memory | invalid | never
# fail-on: regression

# Log in to the app; secrets come from variables:
# login:
#   path: /token
#   form: { username: load-test, password: { secret: LOADTEST_PASSWORD } }
`;

/** The text of a configuration file, with the reason for each key. */
export function renderConfiguration(
  project: Pick<Project, "installer" | "findings" | "proposals">,
  endpoints: readonly SuggestedEndpoint[] | "auto",
): string {
  const { installer } = project;
  const measured = endpoints === "auto" ? [] : endpoints.filter(({ reason }) => reason === undefined);
  const installs = installer === undefined ? [] : [`# ${installer} installs the app.`, ""];
  return [
    `# yaml-language-server: $schema=${schemaUrl}`,
    "# Settings of the load test, written by `init`. Change them as you like; inputs in the workflow override them.",
    "",
    ...installs,
    ...project.findings.flatMap(entry),
    "# Worker counts to measure; each is a row of the report.",
    `workers: ${measured.length > mostWithTwoRows ? "[1]" : "[1, 2]"}`,
    "",
    ...(project.findings.some(({ key }) => key === "script")
      ? withoutEffect(endpointLines(endpoints))
      : endpointLines(endpoints)),
    ...project.proposals.flatMap(proposalLines),
    suggestions(measured),
  ]
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replace(/\n+$/, "\n");
}

/** As many statements as the endpoint with most of them sent. */
function budgetOf(endpoints: readonly SuggestedEndpoint[]): string {
  const counts = endpoints.flatMap(({ line, statements = 0 }) =>
    statements > 0 ? { line, statements } : [],
  );
  const [most] = counts.toSorted((a, b) => b.statements - a.statements);
  return most === undefined
    ? "no more than base"
    : `[no more than base, <= ${most.statements}] # ${visibleLine(most.line)} sent ${most.statements} here`;
}

function entry({ key, value, reason }: FoundSetting): string[] {
  return [`# ${reason}`, yaml({ [key]: value }), ""];
}

/** Without endpoints they are read from the app at measuring time. */
function endpointLines(endpoints: readonly SuggestedEndpoint[] | "auto"): string[] {
  if (endpoints === "auto") return [emptyList.unread, "endpoints: auto"];
  const measured = endpoints.filter(({ reason }) => reason === undefined);
  const others = endpoints.filter(({ reason }) => reason !== undefined);
  return [
    ...(measured.length === 0
      ? [emptyList.silent, emptyList.key]
      : [
          "# Endpoints to request, with parameters from the app's OpenAPI document. `endpoints: auto` requests every GET.",
          ...measured.filter(({ isStream }) => isStream).map(streamLine),
          "endpoints:",
          ...measured.flatMap(item),
        ]),
    ...others.map(
      (each) =>
        `#  - ${each.form === undefined ? yaml(each.line) : visibleLine(stringify(each.form, { lineWidth: 0, collectionStyle: "flow" }).trimEnd())} # ${each.reason}${each.from === undefined ? "" : ` (${visibleLine(each.from)})`}`,
    ),
  ];
}

/** Endpoints in whose place a script runs. */
function withoutEffect(lines: readonly string[]): string[] {
  const commented = lines
    .flatMap((line) => line.split("\n"))
    .map((line) => (line.startsWith("#") ? line : `#${line.startsWith(" ") ? "" : " "}${line}`));
  return ["# Without `script`, these are measured:", ...commented];
}

function streamLine({ line }: SuggestedEndpoint): string {
  return `# ${line} is a stream of events: its first byte and its data per second are measured, too.`;
}

/** An element of the list, below the test that it comes from. */
function item({ line, params, form, from }: SuggestedEndpoint): string[] {
  const isPlain = form !== undefined && Object.keys(form).every((key) => key === "path");
  const whole = isPlain ? form["path"] : (form ?? (params === undefined ? line : { path: line, params }));
  const lines = yaml([whole]).split("\n");
  return [
    ...(from === undefined ? [] : [`  # ${visibleLine(from)}`]),
    ...lines.map((each) => (each === "" ? "" : `  ${each}`)),
  ];
}

function yaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** The lines of a file that show it. */
function proposalLines({ reason, lines }: Proposal): readonly string[] {
  return ["", `# ${reason}`, ...lines.map((line) => `# ${line}`)];
}

/**
 * An existing configuration file with the parts of a new one that it lacks: keys, and variables of the app. Its own
 * content stays, comments too. A sentence when it cannot be read.
 */
export function withAdded(
  path: string,
  present: string,
  written: string,
): { readonly text: string; readonly added: readonly string[] } | string {
  const renewed = withNewComments(present, written);
  const [kept, made] = [parseDocument(renewed.text), parseDocument(written)];
  if (kept.errors.length > 0 || !isMap(kept.contents))
    return `${path} is not a YAML mapping; fix it, or replace it with \`init --overwrite\``;
  const added: string[] = [];
  for (const pair of isMap(made.contents) ? made.contents.items : []) {
    const key = nameOf(pair);
    if (key === "endpoints" && renewed.others !== undefined && isSeq(pair.value)) {
      pair.value.comment = renewed.others.map((line) => line.slice(1)).join("\n");
      if (kept.get(key) === "auto") kept.delete(key);
    }
    const before: unknown = kept.get(key, true);
    if (key === "script" && kept.has("endpoints"))
      return `${path} has \`endpoints\`, which a script replaces; remove them, or replace the file with \`--overwrite\``;
    if (key === "endpoints" && (kept.has("script") || kept.has("iteration"))) continue; // in their place
    if (before === undefined) {
      if (key === "stubs" && isDecided(pair, kept, present)) continue;
      // Otherwise the first line of all files would stand in the middle of this one.
      if (isScalar(pair.key)) pair.key.commentBefore = pair.key.commentBefore ?? null;
      kept.contents.items.push(pair);
      added.push(key);
    } else if (key === "endpoints" && addOpened(before, pair.value, renewed.open)) {
      added.push(key);
    } else if (key === "app-env" && isMap(before) && isPair(pair) && isMap(pair.value)) {
      const lacking = pair.value.items.filter((each) => !before.has(nameOf(each)));
      before.items.push(...lacking);
      added.push(...lacking.map((each) => `app-env ${nameOf(each)}`));
    }
  }
  return { text: added.length === 0 ? renewed.text : kept.toString({ lineWidth: 0 }), added };
}

/** What the file says of a service outside, even in a comment, was somebody's choice. */
function isDecided({ value }: Pair, kept: Document, present: string): boolean {
  const stubs = isMap(value) ? value.items.filter(isPair) : [];
  return stubs.some((stub) => {
    const variables = isMap(stub.value) ? stub.value.get("app-env") : undefined;
    const named = isMap(variables) ? variables.items.map(nameOf) : [];
    return kept.hasIn(["services", nameOf(stub)]) || named.some((each) => present.includes(each));
  });
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}
