import { stringify } from "yaml";
import type { FoundSetting, Project, Proposal } from "../project.ts";
import type { SuggestedEndpoint } from "../requests/endpoints.ts";

const schemaUrl = "https://raw.githubusercontent.com/org/fastapi-loadtest-action/v1/schema/loadtest.json";

/** With more endpoints each gets one row, so that all have their time. */
const mostWithTwoRows = 10;

/** Keys that people want sooner or later, shown without effect. */
const suggestions = `
# Bounds that fail the check, in k6's words:
# thresholds:
#   http_req_duration: p(95)<300
#   http_req_failed: rate<0.01

# When the check fails: slower | threshold | never
# fail-on: regression

# How the app is logged in to; secrets come from variables:
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
  const installs = installer === undefined ? [] : [`# Its environment is made by ${installer}.`, ""];
  return [
    `# yaml-language-server: $schema=${schemaUrl}`,
    "# What the load test measures, and how; written by `init`, and yours to change. Inputs of the workflow win over it.",
    "",
    ...installs,
    ...project.findings.flatMap(entry),
    "# How many workers the server gets, one row of the table each.",
    `workers: ${measured.length > mostWithTwoRows ? "[1]" : "[1, 2]"}`,
    "",
    ...(project.findings.some(({ key }) => key === "script")
      ? withoutEffect(endpointLines(endpoints))
      : endpointLines(endpoints)),
    ...project.proposals.flatMap(proposalLines),
    suggestions,
  ]
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replace(/\n+$/, "\n");
}

function entry({ key, value, reason }: FoundSetting): string[] {
  return [`# ${reason}`, yaml({ [key]: value }), ""];
}

/** Without endpoints the app is asked at measuring time. */
function endpointLines(endpoints: readonly SuggestedEndpoint[] | "auto"): string[] {
  if (endpoints === "auto")
    return [
      "# The app could not be asked here, so it is asked where it is measured: everything that it reads is requested.",
      "endpoints: auto",
    ];
  const measured = endpoints.filter(({ reason }) => reason === undefined);
  const others = endpoints.filter(({ reason }) => reason !== undefined);
  return [
    ...(measured.length === 0
      ? [
          "# No endpoint answers here yet. Mend what is missing, or name those that do; until then `/` is requested.",
          "# endpoints:",
        ]
      : [
          "# What is requested; parameters are filled in from the app's OpenAPI document. `auto`: everything that it reads.",
          ...measured.filter(({ isStream }) => isStream).map(streamLine),
          yaml({ endpoints: measured.map(written) }),
        ]),
    ...others.map((each) => `#  - ${yaml(each.line)} # ${each.reason}`),
  ];
}

/** Endpoints in whose place a script runs. */
function withoutEffect(lines: readonly string[]): string[] {
  const commented = lines
    .flatMap((line) => line.split("\n"))
    .map((line) => (line.startsWith("#") ? line : `#${line.startsWith(" ") ? "" : " "}${line}`));
  return ["# Without `script` these would be measured:", ...commented];
}

function streamLine({ line }: SuggestedEndpoint): string {
  return `# ${line} is a stream of events: its first byte and its data per second are told, too.`;
}

function written({ line, params }: SuggestedEndpoint): unknown {
  return params === undefined ? line : { path: line, params };
}

function yaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** The lines of a file that show it. */
function proposalLines({ reason, lines }: Proposal): readonly string[] {
  return ["", `# ${reason}`, ...lines.map((line) => `# ${line}`)];
}
