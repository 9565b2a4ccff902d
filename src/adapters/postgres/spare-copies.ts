import type { DatabaseCopy, DatabaseTemplate } from "../../ports/database.ts";

/** A copy that takes longer is of a large database: the disk may have no room for one more. */
const longestMs = 1_000;

/** Copies are made beforehand by `make`. One that failed is made again when needed, and only then throws. */
export function withSpareCopies(make: () => Promise<DatabaseCopy>): Required<DatabaseTemplate> {
  const spares: Promise<DatabaseCopy | undefined>[] = [];
  let lastMs = 0;
  const timed = async () => {
    const began = performance.now();
    const copy = await make();
    lastMs = performance.now() - began;
    return copy;
  };
  return {
    copy: async () => (await spares.shift()) ?? (await timed()),
    prepareCopy: async () => {
      if (lastMs > longestMs) return;
      const spare = timed().catch(() => undefined);
      spares.push(spare);
      await spare;
    },
  };
}
