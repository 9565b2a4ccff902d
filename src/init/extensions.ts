import type { Mended } from "./mended.ts";
import type { Project } from "./project.ts";
import type { FoundSetting } from "./source-file.ts";

/** What Postgres misses, in its own words, and the extension that has it. */
const owners: readonly (readonly [missing: RegExp, extension: string])[] = [
  [/function (?:public\.)?uuid_(?:generate_v|nil|ns_)\w*\(/, "uuid-ossp"],
  [/function (?:public\.)?(?:crypt|gen_salt|digest|hmac|pgp_\w+)\(/, "pgcrypto"],
  [/type "(?:public\.)?citext"/, "citext"],
  [/type "(?:public\.)?hstore"/, "hstore"],
  [/type "(?:public\.)?ltree"/, "ltree"],
  [
    /operator class "(?:public\.)?gi(?:n|st)_trgm_ops"|function (?:public\.)?(?:word_)?similarity\(/,
    "pg_trgm",
  ],
  [/function (?:public\.)?unaccent\(|dictionary "(?:public\.)?unaccent"/, "unaccent"],
];

/** Somebody makes such an extension by hand in each new database, so that no migration does. */
export function withExtension(project: Project, said: string): Mended | undefined {
  const lines = said.split("\n").filter((line) => line.includes("does not exist"));
  const [, extension] = owners.find(([missing]) => lines.some((line) => missing.test(line))) ?? [];
  const before = project.findings.find(({ key }) => key === "database-extensions");
  const known = Array.isArray(before?.value) ? before.value.map(String) : [];
  if (extension === undefined || known.includes(extension)) return undefined;
  const value = [...known, extension];
  const reason = "the tables need what they have, and no migration makes them";
  const finding: FoundSetting = { key: "database-extensions", value, reason };
  // Before the commands that need it, as it happens.
  const others = project.findings.filter((each) => each !== before);
  const at = others.findIndex(({ key }) => /^(?:migrate-command|seed)/.test(key));
  const findings = others.toSpliced(at === -1 ? others.length : at, 0, finding);
  return {
    project: { ...project, findings },
    told: `the database lacks what Postgres' extension ${extension} has, so it is made first (\`database-extensions\`)`,
  };
}
