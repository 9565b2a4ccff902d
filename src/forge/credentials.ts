import { forgeAround, forges } from "./forges.ts";
import type { ForgeTraits, Variables } from "./run.ts";

export interface StoredFile {
  /** As it is shown, e.g. `~/.netrc`. */
  readonly name: string;
  readonly text: string;
}

interface Place {
  /** Below the home folder. */
  readonly path: string;
  readonly pattern: RegExp;
  /** True for the credentials of a forge. */
  readonly isRefused?: true;
}

/** Files of which each may hold a credential, and how that is recognised. */
export const places: readonly Place[] = [
  { path: ".git-credentials", pattern: /:\/\/[^\s/@]+@/, isRefused: true },
  { path: ".config/git/credentials", pattern: /:\/\/[^\s/@]+@/, isRefused: true },
  { path: ".netrc", pattern: /\bpassword\s+\S/, isRefused: true },
  { path: ".config/gh/hosts.yml", pattern: /oauth_token:\s*\S/, isRefused: true },
  { path: ".docker/config.json", pattern: /"(?:auth|identitytoken)"\s*:\s*"[^"]/ },
  { path: ".npmrc", pattern: /_(?:auth|authToken|password)\s*=\s*\S/ },
  { path: ".pypirc", pattern: /\bpassword\s*[=:]\s*\S/ },
  { path: ".aws/credentials", pattern: /aws_secret_access_key\s*=\s*\S/ },
  { path: ".kube/config", pattern: /\b(?:token|client-key-data|password):\s*\S/ },
  { path: ".config/gcloud/application_default_credentials.json", pattern: /"(?:refresh_token|private_key)"/ },
  { path: ".ssh/id_rsa", pattern: /PRIVATE KEY/ },
  { path: ".ssh/id_ed25519", pattern: /PRIVATE KEY/ },
];

/** Variables whose values are no secrets, but lead to some. */
const leading = [
  ...["AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"],
  ...["AWS_WEB_IDENTITY_TOKEN_FILE", "AZURE_FEDERATED_TOKEN_FILE", "GOOGLE_APPLICATION_CREDENTIALS"],
];

/** A header that git sends, or a user with a password in an address. */
const ofGit =
  /^[ \t]*(?:\[[^\]\n]*\][ \t]*)?extraheader\s*=.*\b(?:authorization|[a-z]+-token)\b|:\/\/[^\s/@:]*:[^\s/@]+@/im;
const includedPath = /^[ \t]*path[ \t]*=[ \t]*"?([^"\n]+?)"?\s*$/gim;

/** Paths of files that a configuration of git includes, under any condition. */
export function includedBy(configuration: string): readonly string[] {
  return [...configuration.matchAll(includedPath)].flatMap(([, path]) => path ?? []);
}

interface StoredCredentials {
  /** Problems of which each ends the run. */
  readonly refused: readonly string[];
  readonly reported: readonly string[];
}

/** Credentials that the code under test could read, as it runs as the same user. At home they are the user's. */
export function credentialsIn(
  variables: Variables,
  {
    ofRepository,
    ofHome,
  }: { readonly ofRepository: readonly StoredFile[]; readonly ofHome: readonly StoredFile[] },
): StoredCredentials {
  const forge = forgeAround(variables);
  if (forge === undefined) return { refused: [], reported: [] };
  const read = "which the code under test can read";
  // A token may be the user of an address, without a password.
  const git = ofRepository
    .filter(({ text }) => ofGit.test(text) || text.split("\n").some(holdsToken))
    .map(({ name }) => name);
  // GitLab's runner leaves the token of the job there itself; it ends with the job.
  const isOurs = forge.name !== "GitLab";
  const inHome = places.filter(({ path, pattern }) =>
    ofHome.some(({ name, text }) => name === `~/${path}` && pattern.test(text)),
  );
  const [refused, reported] = [true, false].map((isWanted) =>
    inHome.filter(({ isRefused = false }) => isRefused === isWanted).map(({ path }) => `~/${path}`),
  );
  const variablesSet = leading.filter((name) => variables[name]);
  return {
    refused: [
      ...(isOurs ? git : []).map(
        (name) =>
          `checkout: ${name} contains a credential, ${read}; set \`persist-credentials: false\` on actions/checkout`,
      ),
      ...(refused ?? []).map(
        (name) => `credentials: ${name} holds one, ${read}; remove the step that writes it from this job`,
      ),
    ],
    reported: [...(isOurs ? [] : git), ...(reported ?? []), ...variablesSet].map(
      (name) => `${name} holds or leads to a credential, ${read}`,
    ),
  };
}

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
/** An app of a forge, or a user of SSH, has one; one among the inputs is meant for the app. */
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/;
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
    .filter(
      ([name, value = ""]) =>
        value !== "" &&
        (names.has(name.toUpperCase()) ||
          holdsToken(value) ||
          (!name.startsWith("INPUT_") && privateKey.test(value))),
    )
    .map(([name]) => name);
}

export function tokenProblem(found: readonly string[]): string {
  return `environment: ${found.join(", ")} ${found.length === 1 ? "holds a token" : "hold tokens"} that the code under test could read; remove it from the job that measures (\`env:\` of a job or workflow applies to every step)`;
}
