/** Things of a machine that the processes of a server hold, and that another one may want. */
export interface Holdings {
  readonly ports: readonly number[];
  readonly paths: readonly string[];
}

const inUse = /address (?:already )?in use|errno 98\b|EADDRINUSE|port .{0,40}(?:in use|taken|occupied)/i;

/** From here on the kernel chooses ports for whoever wants any. */
const firstChosen = 32_768;

/** Why an arm started only without the other. `reason` is foreign; `held` by the other, if seen. */
export function clashWords(reason: string, held: Holdings | undefined): string {
  const { ports = [], paths = [] } = held ?? {};
  const port =
    ports.find((each) => reason.includes(`${each}`)) ?? (ports.length === 1 ? ports[0] : undefined);
  if (inUse.test(reason) && port !== undefined)
    return `both versions listen on port ${port}, which only one of them can have: ${reason}; let the app read the port from a variable, and set that to 0 (any free port) in \`app-env\``;
  const path = paths.find((each) => reason.includes(each));
  const what =
    path === undefined
      ? "each version starts only without the other, so both need something that only one of them can have"
      : `both versions need ${path}, which only one of them can have`;
  return `${what}: ${reason}; give each start its own, e.g. with tempfile, or switch it off in \`app-env\``;
}

/** Sentences on what two running arms share, or what only one of them got. */
export function sharedThings(base: Holdings, head: Holdings): readonly string[] {
  const both = base.ports.filter((port) => head.ports.includes(port));
  const lone = (own: Holdings, other: Holdings) =>
    own.ports.filter((port) => port < firstChosen && !other.ports.includes(port));
  const [ofBase, ofHead] = [lone(base, head), lone(head, base)];
  const isUneven = ofBase.length !== ofHead.length;
  const without = (ports: readonly number[], arm: string, other: string) =>
    isUneven
      ? ports.map(
          (port) =>
            `only the ${arm} listens on port ${port}; if the ${other} needs it, too, it ran without it, so the comparison is unfair`,
        )
      : [];
  return [
    ...both.map((port) => `both versions listen on port ${port}, so each gets part of what arrives there`),
    ...without(ofBase, "base", "head"),
    ...without(ofHead, "head", "base"),
    ...base.paths
      .filter((path) => head.paths.includes(path))
      .map((path) => `both versions write to ${path}, so each may find data that the other left there`),
  ].slice(0, 10);
}
