import { foreignYaml } from "../../repository/composed-service.ts";
import { isForProduction, isVariablesExample } from "../../repository/variable-files.ts";
import { type ExampleValues, nameOf, type ProjectFile, type ReadVariable } from "../project.ts";
import type { FoundRequirements } from "./requirements.ts";

const isMail = /EMAIL|SUPERUSER$|MAIL_FROM|_SENDER$|FROM_ADDRESS$|(?:SMTP|MAIL)_?(?:USER|LOGIN)$/;

/** A value of the wanted type. People know better ones. */
export function madeUpValue({ name: written, type = "" }: Pick<ReadVariable, "name" | "type">): string {
  const name = written.toUpperCase();
  if (/\bbool\b/i.test(type)) return "false";
  if (/\b(?:list|dict|set|tuple|sequence)\b/i.test(type)) return /dict/i.test(type) ? "{}" : "[]";
  if (/CommaSeparated|Csv/.test(type)) return "made-up";
  if (/Email/.test(type) || (isMail.test(name) && !/PASSWORD|HOST|PORT|TEMPLATE|NAME/.test(name)))
    return "user@example.com";
  if (/Redis/.test(type)) return "redis://127.0.0.1:6379/0";
  if (isMailHost.test(name)) return "127.0.0.1";
  // Without one it is off, and anything else must be one.
  if (/SENTRY\w*DSN/.test(name)) return /Url\b|Dsn\b/.test(type) ? "http://key@127.0.0.1:1/1" : "";
  // A token of the login must outlive a load.
  if (/_(?:MINUTES|SECONDS|TTL|EXPIRES?|EXP)$/.test(name)) return "3600";
  if (/\b(?:\w*int|float|Decimal|timedelta)\b/i.test(type)) return "1";
  if (/(?:^|_)PORT$|_(?:HOURS|DAYS|SIZE|COUNT|LIMIT|TIMEOUT)$/.test(name)) return "1";
  if (/Literal\[\s*["']([^"']+)["']/.test(type)) return /Literal\[\s*["']([^"']+)["']/.exec(type)?.[1] ?? "";
  if (/mongo/i.test(name + type) && /(?:Dsn|URL|URI|DSN|CONNECTION_STRING|_HOST)(?:str)?$/.test(name + type))
    return name.endsWith("_HOST") ? "127.0.0.1" : "mongodb://127.0.0.1:1";
  if (/Url\b/.test(type) || /UR[LI]$/.test(name)) return "http://127.0.0.1:1";
  if (/(?:^|_)ALGORITHM$/.test(name)) return "HS256";
  if (/(?:^|_)LOG_?LEVEL$/.test(name)) return "INFO";
  if (/(?:^|_)PHONE(?:_NUMBER)?$/.test(name)) return "+14155552671";
  // Rules for passwords want all of these.
  if (/(?:PASSWORD|_PASS|_PWD)$/.test(name)) return "Load-test-1!";
  // Libraries that sign refuse short keys.
  return `made-up-for-the-load-test${/SECRET|KEY|TOKEN|SALT/.test(name) ? "-of-32-or-more" : ""}`;
}

/** Somebody's example, unless it names what the value is instead: `PORT` for a number. */
export function valueFor(variable: ReadVariable, examples: ExampleValues): string {
  const example = examples.get(variable.name)?.value;
  const isNumber =
    /\b(?:\w*int|float|Decimal)\b/i.test(variable.type ?? "") || /(?:^|_)PORT$/.test(variable.name);
  const isName = example !== undefined && isNumber && /^[A-Za-z_ -]+$/.test(example);
  return example === undefined || isName ? madeUpValue(variable) : example;
}

/** Values in files of variables, compose files, development containers, images and workflows of the repository; the first file wins. */
export function exampleValues(files: readonly ProjectFile[]): ExampleValues {
  const found = new Map<string, { value: string; path: string }>();
  for (const { path, text } of files.toSorted((a, b) => rankOf(a.path) - rankOf(b.path))) {
    for (const [name, value] of pairsOfFile(path, text)) {
      const isNone =
        (isSecret.test(name) && noSecret.test(value)) ||
        noAlgorithm(name, value) ||
        isMailSecret.test(name) ||
        isMailServer(name, value);
      const own = isNone ? madeUpValue({ name, type: "" }) : value;
      if (!found.has(name) && isPlain(own)) found.set(name, { value: own, path });
    }
  }
  return found;
}

const isMailSecret = /(?:MAIL|SMTP)\w*(?:PASSWORD|_PASS|_PWD|SECRET|TOKEN|KEY)$/;
const isMailHost = /(?:MAIL|SMTP)\w*(?:HOST|SERVER)(?:_?NAME)?$/;

/** A load must not send mail through somebody's server. */
function isMailServer(name: string, value: string): boolean {
  return isMailHost.test(name) && !/^(?:localhost|127\.|\[?::1)/.test(value);
}

/** `e.g. HS256` is for people. */
function noAlgorithm(name: string, value: string): boolean {
  return /(?:^|_)ALGORITHM$/.test(name) && value.includes(" ");
}

function pairsOfFile(path: string, text: string): readonly (readonly [string, string])[] {
  const rank = rankOf(path);
  if (rank < 3) return variablesOf(text);
  if (rank === 4) return variablesOfImage(text);
  if (/devcontainer\.json$/.test(path)) return environmentsIn(withoutRemarks(text));
  return rank === 3 || rank === 5 ? environmentsIn(text) : [];
}

function rankOf(path: string): number {
  const name = nameOf(path);
  if (isVariablesExample.test(name)) return isForProduction.test(name) ? 2 : 0;
  if (/^\.env(?:\.(?:local|dev|development|docker))?$/.test(name)) return 1;
  if (/\.env(?:\.\w+)?$|^\.env/.test(name)) return 2;
  if (/^(?:docker-)?compose[\w.-]*\.ya?ml$|^\.?devcontainer\.json$/.test(name)) return 3;
  if (/^(?:.*\.)?(?:Dockerfile|Containerfile)\b/.test(name)) return 4;
  return path.startsWith(".github/workflows/") ? 5 : 6;
}

/** `ENV` lines. A path of the image is none of this machine. */
function variablesOfImage(text: string): readonly (readonly [string, string])[] {
  const lines = text.replaceAll(/\\\r?\n/g, " ").split("\n");
  return lines.flatMap((line) => {
    const [, said = ""] = /^[ \t]*ENV[ \t]+(.{1,2000})$/.exec(line) ?? [];
    const [, name = "", value = ""] = /^(\w+)[ \t]+(.*)$/.exec(said) ?? [];
    const pairs = name === "" ? [...said.matchAll(/(\w+)=("[^"]*"|'[^']*'|\S*)/g)] : [[said, name, value]];
    return pairs.flatMap(([, key = "", written = ""]) => {
      const plain = written.replace(/^(["'])(.*)\1$/, "$2").trim();
      return plain.startsWith("/") ? [] : [[key.toUpperCase(), plain] as const];
    });
  });
}

const assignment =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"([^"]{0,5000})"|'([^']{0,5000})'|(.{0,2000}))/gm;

/** `NAME=value` lines, as files of variables have them. A value in several lines must be JSON, which is the same in one. */
function variablesOf(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(assignment)].flatMap(([, name = "", double, single, plain = ""]) => {
    const quoted = double ?? single;
    const value = quoted ?? plain.replace(/\s+#.*$/, "").trim();
    if (value.includes("\n") && !/^\s*[[{]/.test(value)) return [];
    return [[name.toUpperCase(), value.replaceAll(/\s*\n\s*/g, " ")] as const];
  });
}

/** Remarks of JSON that people write, which YAML has not. */
function withoutRemarks(text: string): string {
  return text.replaceAll(/^[ \t]*\/\/.*$|[ \t]\/\/ .*$/gm, "").replaceAll(/\/\*[^*]{0,5000}\*\//g, "");
}

const environments = ["environment", "env", "containerEnv", "remoteEnv"];

/** Every `environment` or `env` of a file, at any depth, and what a development container gets. */
function environmentsIn(text: string): readonly (readonly [string, string])[] {
  return pairsIn(foreignYaml(text), 0);
}

function pairsIn(value: unknown, depth: number): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null || depth > 8) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    environments.includes(key) ? pairsOf(inner) : pairsIn(inner, depth + 1),
  );
}

function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) {
    const lines = variablesOf(value.filter((each) => typeof each === "string").join("\n"));
    return lines.map(([name, each]) => [name, defaulted(each)] as const);
  }
  return Object.entries(Object(value)).flatMap(([name, each]) =>
    ["string", "number", "boolean"].includes(typeof each)
      ? [[name.toUpperCase(), defaulted(String(each))] as const]
      : [],
  );
}

/** `${X:-5}` is 5. */
function defaulted(text: string): string {
  return /^\$\{\w+:?-([^}]*)\}$/.exec(text)?.[1] ?? text;
}

/** What everybody has to replace. */
const placeholder =
  /^(?:<.*>|_{2,}\w+_{2,}|change[-_ ]?(?:me|this|it)(?:[-_ ]\w+)*|replace[-_ ]?(?:me|this|it)(?:[-_ ]\w+)*|your[-_ ].*|x{3,}|todo)$/i;

/** The same as one word. */
const yours = /^Your[A-Z]\w*$/;

/** What an example has instead of a secret that everybody makes for themselves. */
const noSecret = /change|replace|generate|your|here|example|todo|xxx|<.*>|_{2}\w+_{2}/i;

const isSecret = /PASSWORD|_PASS$|_PWD$|SECRET|TOKEN|SALT|(?:^|_)KEY$/;

/** A reference to something else is no value, and neither is an empty text. */
function isPlain(value: string): boolean {
  return (
    value !== "" &&
    value.length < 500 &&
    !/\$[{(\w]|[\r\n]/.test(value) &&
    ![placeholder, yours].some((each) => each.test(value))
  );
}

/** Code that reads a file `.env` of its folder: pydantic's settings, python-dotenv, decouple, Starlette, environs. */
const readsIt =
  /\benv_file\b["']?\s*[:=]\s*\(?["'](?:\.\/)?\.env["']|\bload_dotenv\(|\bdotenv_values\(|\bfrom decouple import|\bConfig\(\s*["']\.env["']|\bread_env\(/;

/**
 * Variables that the app takes from a `.env` of the repository by itself. Both arms find their own there, so nobody has
 * to set them.
 */
export function readByItself(files: readonly ProjectFile[]): ReadonlySet<string> {
  const file = files.find(({ path }) => path === ".env");
  const isRead = files.some(({ path, text }) => path.endsWith(".py") && readsIt.test(text));
  if (file === undefined || !isRead) return new Set();
  return new Set(variablesOf(file.text).map(([name]) => name));
}

const isOfLimit = /RATE_?LIMIT|THROTTL|REQUESTS?_PER_(?:SECOND|MINUTE|HOUR|DAY|IP|USER|CLIENT)/i;

/**
 * Variables that switch off a limit of requests by one client, which would answer nearly all of a load with 429, or that
 * lift it. Only switches that are on by default.
 */
export function limitSwitches(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): Readonly<Record<string, string>> {
  const own = variables.filter(({ name }) => isOfLimit.test(name)).flatMap(switchOf);
  return Object.fromEntries([...own, ...(hasSlowApi(has, files) ? [["RATELIMIT_ENABLED", "false"]] : [])]);
}

/** Times and places of a limit. */
const isNoCount =
  /(?<!PER_)(?:SECONDS?|MINUTES?|HOURS?|SECS?)$|WINDOW|PERIOD|INTERVAL|DURATION|TTL|BLOCK|BAN|EXPIRE|DELAY|_(?:PORT|DB)$/i;

function switchOf({ name, value = "", type = "" }: ReadVariable): readonly (readonly [string, string])[] {
  if (/ENABLE|ACTIVE|^USE_|_ON$/i.test(name)) return /^(?:true|1)$/i.test(value) ? [[name, "false"]] : [];
  if (/DISABLE/i.test(name)) return /^(?:false|0)$/i.test(value) ? [[name, "true"]] : [];
  // `80`, `100/minute`.
  const [, unit] = /^[1-9]\d{0,8}((?:\s?(?:\/|per )\s?\w{1,10})?)$/.exec(value) ?? [];
  const isCount = unit !== undefined && !isNoCount.test(name) && !/bool/.test(type);
  return isCount ? [[name, `1000000${unit}`]] : [];
}

/** slowapi reads its variable itself, but takes any text for true where the code switches it off. */
function hasSlowApi(has: FoundRequirements["has"], files: readonly ProjectFile[]): boolean {
  return has("slowapi") && !files.some(({ text }) => /\bLimiter\([^)]*\benabled\s*=/.test(text));
}

/** Names of settings that hold the first user, in pairs. */
const accounts: readonly (readonly [user: RegExp, password: RegExp])[] = [
  [/^(?:\w+_)?FIRST_SUPERUSER(?:_EMAIL|_USERNAME)?$/, /^(?:\w+_)?FIRST_SUPERUSER_(?:PASSWORD|PW)$/],
  [/^(?:\w+_)?FIRST_USER_(?:EMAIL|USERNAME)$/, /^(?:\w+_)?FIRST_USER_(?:PASSWORD|PW)$/],
  [
    /^(?:\w+_)?(?:DEFAULT_|INITIAL_)?(?:ADMIN|SUPER_?USER|API|_DEFAULT)_{0,2}(?:USERNAME|USER|EMAIL)$/,
    /^(?:\w+_)?(?:DEFAULT_|INITIAL_)?(?:ADMIN|SUPER_?USER|API|_DEFAULT)_{0,2}PASSWORD$/,
  ],
  [/^(?:\w+_)?(?:ADMIN|SUPER_?USER)_{1,2}NAME$/, /^(?:\w+_)?(?:ADMIN|SUPER_?USER)_{1,2}PASSWORD$/],
];

/** The first user of the settings: with values given to the app, else its own defaults. */
export interface FirstUser {
  /** Name of the setting that holds the user's name. */
  readonly setting: string;
  readonly username: string;
  readonly password: string;
  /** Other names that it may have. */
  readonly others?: readonly string[];
}

export function findFirstUser(
  variables: readonly ReadVariable[],
  given: Readonly<Record<string, string>>,
): FirstUser | undefined {
  const settingsOf = (isWanted: (name: string) => boolean) =>
    variables
      .filter(({ name }) => isWanted(name))
      .map(({ name, value }) => ({ name, value: given[name] ?? value }))
      .filter(({ value }) => value !== undefined);
  const settingOf = (isWanted: (name: string) => boolean) => settingsOf(isWanted)[0];
  const known = accounts.flatMap(([user, password]) => {
    const secret = settingOf((name) => password.test(name));
    return settingsOf((name) => user.test(name)).map((each) => [each, secret] as const);
  });
  // Pairs of any other name: `SUDO_USERNAME` and `SUDO_PASSWORD`.
  const others = variables.flatMap(({ name: user }) => {
    const [, prefix] = /^(\w+_)(?:USERNAME|USER|EMAIL|LOGIN)$/.exec(user) ?? [];
    if (prefix === undefined || isOfServer.test(prefix)) return [];
    const secrets = ["PASSWORD", "PASS", "PWD"].map((end) => prefix + end);
    return [[settingOf((name) => name === user), settingOf((name) => secrets.includes(name))] as const];
  });
  const [first, ...more] = [...known, ...others].flatMap(([user, secret]) =>
    user?.value === undefined || secret?.value === undefined
      ? []
      : [{ setting: user.name, username: user.value, password: secret.value }],
  );
  const names = more
    .filter(({ username, password }) => password === first?.password && username !== first.username)
    .map(({ username }) => username);
  return first && { ...first, ...(names.length > 0 && { others: [...new Set(names)] }) };
}

const isKeyOfApp = /^(?:\w+_)?(?:X_)?(?:API_?KEYS?|API_TOKEN|AUTH_(?:KEY|TOKEN)|ACCESS_KEY)$/;

/** Values that a client may have to show: those given to the app, else its own defaults. */
export function findKeys(
  variables: readonly ReadVariable[],
  given: Readonly<Record<string, string>>,
): readonly string[] {
  const values = variables
    .filter(({ name }) => isKeyOfApp.test(name) && !isOfServer.test(name))
    .flatMap(({ name, value }) => given[name] ?? value ?? []);
  return [...new Set(values.flatMap((each) => each.split(",")))].filter((each) =>
    /^[!-~]{1,200}$/.test(each),
  );
}

/** Accounts of servers, not of the app. */
const isOfServer =
  /DATABASE|POSTGRES|MYSQL|MARIA|SQL|MONGO|REDIS|RABBIT|AMQP|BROKER|MAIL|SMTP|(?:^|_)(?:DB|PG|MQ|S3|FTP|LDAP|FLOWER|ELASTIC)_/;
