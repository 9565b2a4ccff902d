/** Paths at which a repository may have its configuration file. */
export const configurationPaths = [".github/loadtest.yml", ".github/loadtest.yaml"] as const;
