const mark = /^-- loadtest:[ \t]*disk[ \t]+(\d+(?:\.\d+)?)[ \t]*(MB|GB)[ \t]+at[ \t]+scale[ \t]+1[ \t\r]*$/gm;
const bytesPer = { MB: 1e6, GB: 1e9 } as const;

/**
 * Bytes of disk for one database, by the seed files: `-- loadtest: disk 2.3 GB at scale 1`. 0 when no file has such a
 * line.
 */
export function seedDiskBytes(texts: readonly string[], scale: number): number {
  const stated = texts.flatMap((text) =>
    [...text.matchAll(mark)].map(
      ([, amount, unit]) => Number(amount) * bytesPer[unit === "MB" ? "MB" : "GB"],
    ),
  );
  return stated.reduce((sum, bytes) => sum + bytes, 0) * scale;
}

/**
 * A sentence when a private server's databases will not fit: the seeded template, a copy for each arm, and as many
 * again that are being dropped while the next ones are made.
 */
export function diskProblem(
  databaseBytes: number,
  {
    arms,
    freeBytes,
    folder,
    scale,
  }: {
    readonly arms: number;
    readonly freeBytes: number;
    readonly folder: string;
    readonly scale: number;
  },
): string | undefined {
  const neededBytes = databaseBytes * (1 + 2 * arms);
  if (neededBytes <= freeBytes) return undefined;
  return (
    `scale: at ${scale} the databases need ${gigabytes(neededBytes)} of disk and ${folder} has ` +
    `${gigabytes(freeBytes)} free; free some, set TMPDIR to a folder of a larger disk, or take a smaller scale`
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
