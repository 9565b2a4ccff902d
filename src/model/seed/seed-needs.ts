/** What only a superuser may make, and the seed files make. */
export interface SeedNeeds {
  readonly roles: readonly string[];
  readonly memberships: readonly { readonly role: string; readonly member: string }[];
  readonly extensions: readonly { readonly name: string; readonly schema: string | undefined }[];
}

const name = String.raw`(?:"(?:[^"\n]|"")+"|[a-z_\x80-\uffff][\w$\x80-\uffff]*)`;
const pattern = (text: string) =>
  new RegExp(String.raw`\b${text.replaceAll("NAME", name).replaceAll(" ", "\\s+")}`, "gi");

const created = pattern("CREATE (?:ROLE|USER|GROUP) (?!MAPPING\\b)(?:IF NOT EXISTS )?(NAME)");
const granted = pattern("GRANT (NAME(?:\\s*,\\s*NAME)*) TO (NAME(?:\\s*,\\s*NAME)*)");
const extension = pattern("CREATE EXTENSION (?:IF NOT EXISTS )?(NAME)(?:(?: WITH)? SCHEMA (NAME))?");
const reserved = /^(?:pg_|public$|none$|current_|session_)/;

/** Roles and extensions that texts make, also within blocks and strings: one too many is harmless. */
export function seedNeeds(texts: readonly string[]): SeedNeeds {
  const all = (wanted: RegExp) => texts.flatMap((text) => [...text.matchAll(wanted)]);
  const roles = new Set(all(created).map(([, each = ""]) => nameOf(each)));
  const memberships = all(granted).flatMap(([, of = "", to = ""]) =>
    namesIn(of).flatMap((role) => namesIn(to).map((member) => ({ role, member }))),
  );
  const extensions = new Map(
    all(extension).map(([, each = "", schema]) => [nameOf(each), schema && nameOf(schema)] as const),
  );
  return {
    roles: [...roles].filter((role) => !reserved.test(role)),
    memberships: memberships.filter(({ role }) => roles.has(role)),
    extensions: [...extensions].map(([each, schema]) => ({ name: each, schema })),
  };
}

function namesIn(list: string): string[] {
  return [...list.matchAll(new RegExp(name, "gi"))].map(([each]) => nameOf(each));
}

/** A name as the catalogue has it: lower case unless it is quoted. */
export function nameOf(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word.toLowerCase();
}
