/** Extensions that have a package and an image of their own. */
const packaged: Readonly<Record<string, { readonly debian?: string; readonly image: string }>> = {
  vector: { debian: "pgvector", image: "pgvector/pgvector" },
  postgis: { debian: "postgis-3", image: "postgis/postgis" },
  timescaledb: { image: "timescale/timescaledb" },
};

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
