export interface SeedGround {
  readonly database: string;
  readonly user: string;
  /** Roles that exist. True: the app's user may become this one. */
  readonly roles: ReadonlyMap<string, boolean>;
  /** Extensions that this server can make. True: the database has it already. */
  readonly extensions: ReadonlyMap<string, boolean>;
  readonly major: number;
  /** Roles and extensions that the files make were made beforehand, because the app's user may not. */
  readonly isPrepared: boolean;
  readonly schemas: readonly string[];
}

interface SentStatement {
  readonly text: string;
  readonly left?: string;
}

const name = String.raw`(?:"(?:[^"]|"")+"|[\w$\x80-\uffff]+)`;
const names = String.raw`(${name}(?:\s*,\s*${name})*)`;
const pattern = (text: string) =>
  new RegExp(
    text.replaceAll("<names>", names).replaceAll("<name>", `(${name})`).replaceAll(" ", "\\s+"),
    "i",
  );

const grant = pattern(
  String.raw`^(?:GRANT|REVOKE|ALTER DEFAULT PRIVILEGES)\b[\s\S]*\b(?:TO|FROM) (?:GROUP )?<names>(?: (?:WITH|GRANTED|CASCADE|RESTRICT)\b[^;]*)?\s*;?$`,
);
const membership = /^(?:GRANT|REVOKE)\b(?![\s\S]*\bON\b)/i;
const defaultsOf = pattern("^ALTER DEFAULT PRIVILEGES FOR (?:ROLE|USER) <names>");
const owner = pattern(String.raw`^ALTER \b[\s\S]*\bOWNER TO <name>\s*;?$`);
const becoming = pattern(
  "^SET (?:(?:SESSION|LOCAL) )?(?:ROLE|SESSION AUTHORIZATION) (?:'([^']+)'|<name>)\\s*;?$",
);
const schemaOf = pattern("^(CREATE SCHEMA (?:IF NOT EXISTS )?)(?:<name> )?AUTHORIZATION <name>");
const policy = pattern(
  String.raw`^CREATE POLICY <name> ON (?:<name>\.)?<name>(?: AS \w+)?(?: FOR \w+)? TO <names>`,
);
const extension = pattern("^(CREATE|DROP) EXTENSION (?:IF (?:NOT )?EXISTS )?<name>");
const newSchema = pattern("^CREATE SCHEMA (?:IF NOT EXISTS )?<name>");
const ofDatabase = pattern(
  String.raw`^((?:(?:ALTER|COMMENT ON)|(?:GRANT|REVOKE) [\w\s,]+ ON|ALTER (?:ROLE|USER) ${name} IN) DATABASE )<name>`,
);
const role = pattern("^(CREATE|ALTER|DROP) (?:ROLE|USER|GROUP) (?!MAPPING\\b)(?:IF (?:NOT )?EXISTS )?<name>");
const madeRole = /\bCREATE\s+(?:ROLE|USER(?!\s+MAPPING)|GROUP)\s[^;]*;/gi;
const triggers = pattern(
  String.raw`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(?:<name>\.)?<name> (DISABLE|ENABLE) TRIGGER ALL\s*;?$`,
);
const noTimeout = pattern(String.raw`^SET transaction_timeout\s*=\s*0\s*;?$`);
const encoding = pattern(
  String.raw`^SET (?:(?:SESSION|LOCAL) )?(?:client_encoding\s*(?:=|TO)|NAMES)\s*'?[\w-]+'?\s*;?$`,
);

/** Statements about the whole server, with words for them where a reader should know. */
const ofServer: readonly (readonly [RegExp, string | undefined])[] = [
  [pattern("^(?:CREATE|DROP) DATABASE\\b"), undefined],
  [pattern("^COMMENT ON (?:EXTENSION|ROLE)\\b"), undefined],
  ...["SUBSCRIPTION", "PUBLICATION", "EVENT TRIGGER", "TABLESPACE"].map(
    (kind) => [pattern(`^(?:CREATE|ALTER|DROP|COMMENT ON) ${kind}\\b`), kind] as const,
  ),
  [pattern("^SET default_tablespace\\s*=(?!\\s*(?:''|\"\"))"), "default_tablespace"],
  [pattern("^ALTER SYSTEM\\b"), "ALTER SYSTEM"],
];

const longestHead = 10_000;

/** A statement for the app's user: without foreign owners and roles, and what concerns the server. */
export function sentStatement(text: string, ground: SeedGround): SentStatement {
  // The roles are there, and its user may make none.
  if (ground.isPrepared && /^DO\b/i.test(text)) return { text: text.replaceAll(madeRole, "NULL;") };
  if (!/^(?:ALTER|COMMENT|CREATE|DROP|GRANT|REVOKE|SET)\b/i.test(text)) return { text };
  const head = withoutComments(text.slice(0, longestHead));
  const left = leftOut(head, ground);
  if (left !== undefined) return left === "" ? { text: "" } : { text: "", left };
  return text.length > longestHead ? { text } : altered(text, head, ground);
}

/** A statement of `pg_dump --clean`, which first drops what a new database lacks, as `--if-exists` would write it. */
export function ifThere(text: string): string {
  if (text.includes(" IF EXISTS ")) return text;
  if (/^DROP (?:[A-Z]+ )+/.test(text)) return text.replace(/^DROP (?:[A-Z]+ )+/, "$&IF EXISTS ");
  if (!/^ALTER [\s\S]* DROP (?:CONSTRAINT|DEFAULT)\b/.test(text)) return text;
  return text
    .replace(/^ALTER (?:FOREIGN )?[A-Z]+ /, "$&IF EXISTS ")
    .replace(" DROP CONSTRAINT ", "$&IF EXISTS ");
}

/** Words for a statement that is not sent; empty where nobody misses it. */
function leftOut(head: string, ground: SeedGround): string | undefined {
  const { isPrepared, major, extensions } = ground;
  if (encoding.test(head) || (major < 17 && noTimeout.test(head))) return "";
  for (const [start, words = ""] of ofServer) if (start.test(head)) return words;
  const [, verb = "", named] = role.exec(head) ?? [];
  if (isPrepared && named !== undefined && !(verb.toUpperCase() === "ALTER" && mayBecome(named, ground)))
    return verb.toUpperCase() === "ALTER" ? `ALTER ROLE ${nameOf(named)}` : ""; // made beforehand
  const [, newOwner] = owner.exec(head) ?? [];
  // Another owner would need rights of its own, which a file that a superuser ran does not give.
  const isKept = isPrepared ? isSelf : mayBecome;
  if (newOwner !== undefined && !isKept(newOwner, ground)) return `OWNER TO ${nameOf(newOwner)}`;
  const [, quoted, next = quoted] = becoming.exec(head) ?? [];
  if (next !== undefined && !mayBecome(next, ground)) return `SET ROLE ${nameOf(next)}`;
  const grantors = defaultsOf.exec(head)?.[1];
  const unlike = missingIn(grantors, (each) => !mayBecome(each, ground));
  if (unlike !== undefined) return `ALTER DEFAULT PRIVILEGES FOR ROLE ${unlike}`;
  const given = grant.exec(head)?.[1] ?? policy.exec(head)?.at(-1);
  const missing = missingIn(given, (each) => !isKnown(each, ground));
  if (missing !== undefined) return `${policy.test(head) ? "POLICY" : "GRANT"} to ${missing}`;
  if (isPrepared && membership.test(head)) return "";
  const [, schema] = newSchema.exec(head) ?? [];
  if (schema !== undefined && ground.schemas.includes(nameOf(schema))) return "";
  const [, verbOf = "", wanted] = extension.exec(head) ?? [];
  if (wanted === undefined) return undefined;
  const isThere = extensions.get(nameOf(wanted));
  if (verbOf.toUpperCase() === "DROP") return isThere ? "" : undefined;
  return isThere === undefined ? `EXTENSION ${nameOf(wanted)}` : isThere ? "" : undefined;
}

function altered(text: string, head: string, ground: SeedGround): SentStatement {
  const { database, isPrepared, major } = ground;
  const named = ofDatabase.exec(head);
  if (named !== null) {
    const [found, before] = named;
    return { text: `${before}"${database.replaceAll('"', '""')}"${head.slice(found.length)}` };
  }
  const created = schemaOf.exec(head);
  const [, start, schema, schemaOwner = ""] = created ?? [];
  if (created !== null && !mayBecome(schemaOwner, ground)) {
    const rest = head.slice(created[0].length);
    return { text: `${start}${schema ?? schemaOwner}${rest}`, left: `AUTHORIZATION ${nameOf(schemaOwner)}` };
  }
  // The triggers of foreign keys are the system's: only a superuser may switch them off one by one.
  const switched = isPrepared && major >= 15 ? triggers.exec(head)?.at(-1) : undefined;
  if (switched === undefined) return { text };
  const role = switched.toUpperCase() === "DISABLE" ? "replica" : "origin";
  return { text: `SET session_replication_role = ${role};` };
}

function missingIn(list: string | undefined, isMissing: (name: string) => boolean): string | undefined {
  const missing = list?.match(new RegExp(name, "g"))?.filter(isMissing).map(nameOf) ?? [];
  return missing.length === 0 ? undefined : missing.join(", ");
}

const keywords = /^(?:current_user|current_role|session_user|public|none|default)$/;

function isKnown(word: string, { roles }: SeedGround): boolean {
  const role = nameOf(word);
  return keywords.test(role) || roles.has(role);
}

function isSelf(word: string, { user }: SeedGround): boolean {
  const role = nameOf(word);
  return keywords.test(role) || role === user;
}

function mayBecome(word: string, { roles }: SeedGround): boolean {
  const role = nameOf(word);
  return keywords.test(role) || roles.get(role) === true;
}

/** Enough for the heads of statements, whose strings come last, if at all. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, (piece) =>
      /^['"]/.test(piece) ? piece : " ",
    )
    .trim();
}

/** What only a superuser may make, and the seed files make. */
export interface SeedNeeds {
  readonly roles: readonly string[];
  readonly memberships: readonly { readonly role: string; readonly member: string }[];
  readonly extensions: readonly { readonly name: string; readonly schema: string | undefined }[];
}

const identifier = String.raw`(?:"(?:[^"\n]|"")+"|[a-z_\x80-\uffff][\w$\x80-\uffff]*)`;
const anywhere = (text: string) =>
  new RegExp(String.raw`\b${text.replaceAll("NAME", identifier).replaceAll(" ", "\\s+")}`, "gi");

const created = anywhere("CREATE (?:ROLE|USER|GROUP) (?!MAPPING\\b)(?:IF NOT EXISTS )?(NAME)");
const granted = anywhere("GRANT (NAME(?:\\s*,\\s*NAME)*) TO (NAME(?:\\s*,\\s*NAME)*)");
const madeExtension = anywhere("CREATE EXTENSION (?:IF NOT EXISTS )?(NAME)(?:(?: WITH)? SCHEMA (NAME))?");
const reserved = /^(?:pg_|public$|none$|current_|session_)/;

/** Roles and extensions that texts make, also within blocks and strings: one too many is harmless. */
export function seedNeeds(texts: readonly string[]): SeedNeeds {
  const all = (wanted: RegExp) => texts.flatMap((text) => [...text.matchAll(wanted)]);
  const roles = new Set(all(created).map(([, each = ""]) => nameOf(each)));
  const memberships = all(granted).flatMap(([, of = "", to = ""]) =>
    namesIn(of).flatMap((role) => namesIn(to).map((member) => ({ role, member }))),
  );
  const extensions = new Map(
    all(madeExtension).map(([, each = "", schema]) => [nameOf(each), schema && nameOf(schema)] as const),
  );
  return {
    roles: [...roles].filter((role) => !reserved.test(role)),
    memberships: memberships.filter(({ role }) => roles.has(role)),
    extensions: [...extensions].map(([each, schema]) => ({ name: each, schema })),
  };
}

function namesIn(list: string): string[] {
  return [...list.matchAll(new RegExp(identifier, "gi"))].map(([each]) => nameOf(each));
}

/** A name as the catalogue has it: lower case unless it is quoted. */
export function nameOf(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word.toLowerCase();
}
