/** Lock files next to a pyproject.toml, the most specific first, and the tool that writes each. */
export const toolOfLockFile = { "uv.lock": "uv", "poetry.lock": "Poetry", "pdm.lock": "PDM" } as const;

export type LockFile = keyof typeof toolOfLockFile;

export const lockFiles: readonly LockFile[] = ["uv.lock", "poetry.lock", "pdm.lock"];
