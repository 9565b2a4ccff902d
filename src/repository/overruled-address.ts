import type { SourceFile } from "./apps.ts";

/** Words for an address that no server answers at, or that no name server knows. */
const unreachable =
  /gaierror|getaddrinfo|name or service not known|nodename nor servname|name resolution|no address associated|translate host name|resolve host|connection refused|connectionrefused|connect call failed|errno 111\b|errno -[2-5]\b/i;
const unresolved =
  /gaierror|getaddrinfo|name or service not known|nodename nor servname|name resolution|no address associated|errno -[2-5]\b/i;

/** True for the words of an app that could not reach a server. */
export function isUnreachable(reason: string): boolean {
  return unreachable.test(reason);
}

/** `localhost`, and addresses, which need no name server. */
export const plainAddress = /^(?:localhost|[\d.]+|\[.*\])$/i;
const assignment =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,80})[ \t]*=[ \t]*(["']?)([^"'\n#]{1,500}?)\2[ \t]*(?:#.*)?$/gm;
const namesAddress = /HOST|ADDR|SERVER|UR[IL]|DSN|BROKER/i;

interface Address {
  readonly name: string;
  readonly host: string;
  /** `db:5432`; without a login. */
  readonly text: string;
}

interface Found extends Address {
  readonly path: string;
}

/**
 * Where an address comes from that the app could not reach, or should not have opened: a file that overrules or names it.
 */
export function overruledAddress(
  reason: string,
  given: Readonly<Record<string, string>>,
  files: readonly SourceFile[],
): string | undefined {
  const written = files.flatMap(addressesIn);
  const others = written.filter(({ name, text }) => addressOf(name, given[name] ?? "")?.text !== text);
  const isNamed = ({ host, text }: Address) => {
    const [, port] = /:(\d+)$/.exec(text) ?? [];
    if (plainAddress.test(host)) return port !== undefined && names(reason, port);
    return names(reason, host);
  };
  const named = others.find(isNamed);
  // Some say only that a name is unknown, and not which.
  const isSilent = unresolved.test(reason) && named === undefined;
  const unknown = isSilent
    ? others.find(({ name, host }) => name in given && !plainAddress.test(host))
    : undefined;
  const found = named ?? unknown;
  if (found !== undefined) return inWords(found, given);
  const own = Object.entries(given).flatMap(([name, value]) => addressOf(name, value) ?? []);
  const ofRun = own.find((each) => !plainAddress.test(each.host) && isNamed(each));
  return ofRun && `${ofRun.text} is the ${ofRun.name} that the configuration sets`;
}

function inWords({ path, name, text }: Found, given: Readonly<Record<string, string>>): string {
  return name in given
    ? `${path} sets ${name} to ${text}, and the app uses that instead of the ${name} of this run; let existing variables take precedence, e.g. load_dotenv(override=False)`
    : `${text} is the ${name} of ${path}: set ${name} in \`app-env\``;
}

function addressesIn({ path, text }: SourceFile): Found[] {
  return [...text.matchAll(assignment)].flatMap(([, name = "", , value = ""]) => {
    const address = addressOf(name, value);
    return address === undefined ? [] : [{ ...address, path }];
  });
}

function addressOf(name: string, value: string): Address | undefined {
  const text = value.trim();
  if (/^[\w+.-]+:\/\//.test(text)) {
    const [, , host = "", port = ""] =
      /^[\w+.-]+:\/\/([^/@]*@)?(\[[^\]]*\]|[^/:?#,]*)(:\d+)?/.exec(text) ?? [];
    return host === "" ? undefined : { name, host, text: `${host}${port}` };
  }
  const [, host, port = ""] = /^([A-Za-z0-9][\w.-]{0,252})(:\d+)?$/.exec(text) ?? [];
  return host === undefined || !namesAddress.test(name) ? undefined : { name, host, text: `${host}${port}` };
}

/** True when a text has the word, and not only a part of another one. */
export function names(text: string, word: string): boolean {
  return text.split(/[^\w.-]+/).some((each) => each.replace(/\.$/, "") === word);
}
