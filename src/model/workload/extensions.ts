/** Extensions that have a package of Debian's, after `postgresql-15-`, or an image of their own. */
const packaged: Readonly<Record<string, { readonly debian?: string; readonly image?: string }>> = {
  vector: { debian: "pgvector", image: "pgvector/pgvector" },
  postgis: { debian: "postgis-3", image: "postgis/postgis" },
  timescaledb: { image: "timescale/timescaledb" },
  ...Object.fromEntries(
    ["hll", "ip4r", "orafce", "pgrouting", "rum", "semver", "tdigest"].map((debian) => [debian, { debian }]),
  ),
};

const madeExtension =
  /\bCREATE\s{1,20}EXTENSION\s{1,20}(?:IF\s{1,20}NOT\s{1,20}EXISTS\s{1,20})?\\?["']?([\w-]{1,60})/gi;

const newestPostgres =
  "find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -printf '%f\\n' | sort -n | tail -n 1";

/** Debian's packages, for the newest Postgres of the machine, of the extensions that these texts make; words for a shell. */
export function packagesOfExtensions(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) => [...text.matchAll(madeExtension)].map(([, name = ""]) => name));
  return [...new Set(names.flatMap((name) => packaged[name.toLowerCase()]?.debian ?? []))].map(
    (debian) => `"postgresql-$(${newestPostgres})-${debian}"`,
  );
}

/** A sentence about an extension that the Postgres of this machine does not have; `undefined`: it has all. */
export function lackOfExtension(log: string): string | undefined {
  const [, name] = /extension "([\w-]{1,60})" is not available/.exec(log) ?? [];
  if (name === undefined) return undefined;
  const [, version] = /postgresql\/(\d{1,3})\/extension/.exec(log) ?? [];
  const { debian, image } = packaged[name] ?? {};
  const install =
    version === undefined || debian === undefined
      ? "install it"
      : `sudo apt-get install --yes postgresql-${version}-${debian}`;
  const server = image === undefined ? "" : `, e.g. the image ${image}`;
  return `the database needs the Postgres extension ${name}, which is not installed here: ${install}, or set \`database-url\` to a server that has it${server}`;
}
