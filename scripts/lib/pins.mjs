/** An action as a workflow uses it: `uses: owner/name/path@commit # version`. */
const pinned = /uses:\s*["']?([\w.-]+\/[\w.-]+)(?:\/[\w./-]+)?@([0-9a-f]{40})["']? # (v\d+\.\d+\.\d+)\b/g;

/** Each pin of some texts once, in the order of their names. */
export function pinsIn(texts) {
  const pins = texts.flatMap((text) =>
    [...text.matchAll(pinned)].map(([, action, commit, version]) => ({ action, commit, version })),
  );
  const byKey = new Map(pins.map((pin) => [`${pin.action}@${pin.commit} ${pin.version}`, pin]));
  return [...byKey.keys()].toSorted().map((key) => byKey.get(key));
}

/**
 * The commits of a repository's versions, by what its server says when git asks for the refs. An annotated tag has its
 * commit in a line of its own.
 */
export function versionsIn(advertisement) {
  const versions = new Map();
  for (const [, commit, version] of advertisement.matchAll(
    /([0-9a-f]{40}) refs\/tags\/(v\d+\.\d+\.\d+(?:\^\{\})?)(?=[\n\0])/g,
  )) {
    const [name, isPeeled] = [version.replace("^{}", ""), version.endsWith("^{}")];
    if (isPeeled || !versions.has(name)) versions.set(name, commit);
  }
  return versions;
}

/** What is wrong with a pin: `problem` must be mended, `news` is a newer release. */
export function judgedPin({ action, commit, version }, versions) {
  const tagged = versions.get(version);
  const newest = [...versions.keys()].toSorted(byNumbers).at(-1);
  if (tagged === undefined) return { problem: `${action} has no version ${version}` };
  if (tagged !== commit) return { problem: `${action} is pinned at ${commit}, but ${version} is ${tagged}` };
  return newest === version
    ? {}
    : { news: `${action} is at ${version}; ${newest} is ${versions.get(newest)}` };
}

function byNumbers(one, other) {
  const [a, b] = [one, other].map((version) => version.slice(1).split(".").map(Number));
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
