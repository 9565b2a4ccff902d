const mostCharacters = 500;

/** Anything that a runner, a shell or another system could read as more than the name of a file below the top. */
const strange = /[\p{C}\p{Zl}\p{Zp}\\:*?"<>|]/u;

/** True when a path names a file below a repository's top, and nothing else: `app/orders.py`. */
export function isRepositoryPath(path: string): boolean {
  const isPlain = path.length <= mostCharacters && !strange.test(path);
  return isPlain && path.split("/").every((part) => !["", ".", "..", ".git"].includes(part));
}
