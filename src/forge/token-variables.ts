import { forgeAround, forges } from "./forges.ts";
import type { ForgeTraits, Variables } from "./run.ts";

const all = Object.values<ForgeTraits>(forges);

/** Variables in which workflows and their authors put tokens. */
const names: ReadonlySet<string> = new Set([
  ...all.flatMap(({ tokenVariables }) => tokenVariables),
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "ACTIONS_RUNTIME_TOKEN",
  "AWS_SESSION_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
]);

/** Those of registries, clouds and chats. */
const others =
  "npm_[A-Za-z0-9]{30}|pypi-AgE|dckr_pat_|(?:AKIA|ASIA)[A-Z0-9]{12}|ya29\\.|xox[abposr]-|sk_live_|hf_[A-Za-z0-9]{30}";
/** Tokens in any variable, alone or in an address or a header. */
const starts = [...all.flatMap(({ tokenStart = [] }) => tokenStart), others].join("|");
const token = new RegExp(`(?:^|[^\\w])(?:${starts})\\w`);
/** Forms in which git gets them: `AUTHORIZATION: basic`, and `x-access-token:TOKEN` in base64. */
const basic = /\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})/i;
const tokenUser = /^x-access-token:./;

function holdsToken(value: string): boolean {
  const [, encoded] = basic.exec(value) ?? [];
  if (encoded === undefined) return token.test(value);
  try {
    const text = atob(encoded);
    return tokenUser.test(text) || token.test(text);
  } catch {
    return false; // no base64
  }
}

/** Names of variables that hold a token: in a job, the app could read them from the measuring process. */
export function tokenVariables(variables: Variables): string[] {
  const forge = forgeAround(variables);
  if (forge === undefined) return [];
  return Object.entries(variables)
    .filter(([name]) => forge.ownVariables?.test(name) !== true)
    .filter(([name, value = ""]) => value !== "" && (names.has(name.toUpperCase()) || holdsToken(value)))
    .map(([name]) => name);
}

export function tokenProblem(found: readonly string[]): string {
  return `environment: ${found.join(", ")} ${found.length === 1 ? "holds a token" : "hold tokens"} that the code under test could read; remove it from the job that measures (\`env:\` of a job or workflow applies to every step)`;
}
