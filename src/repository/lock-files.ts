/** Lock files that lie beside a pyproject.toml, the most telling first, and the tool that writes each. */
export const toolOfLockFile = { "uv.lock": "uv", "poetry.lock": "Poetry", "pdm.lock": "PDM" } as const;

export type LockFile = keyof typeof toolOfLockFile;

export const lockFiles: readonly LockFile[] = ["uv.lock", "poetry.lock", "pdm.lock"];
