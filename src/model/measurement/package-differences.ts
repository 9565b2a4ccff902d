type Versions = Readonly<Record<string, string>>;

/**
 * Packages that differ in the base, by name: its version, or nothing when it lacks the package. `undefined` when both
 * have the same.
 */
export function packageDifferences(base: Versions, head: Versions): Record<string, string> | undefined {
  const versionIn = (versions: Versions, name: string) =>
    Object.hasOwn(versions, name) ? (versions[name] ?? "") : "";
  const names = [...new Set([...Object.keys(base), ...Object.keys(head)])];
  const others = names
    .filter((name) => versionIn(base, name) !== versionIn(head, name))
    .map((name) => [name, versionIn(base, name)] as const);
  return others.length === 0 ? undefined : Object.fromEntries(others);
}
