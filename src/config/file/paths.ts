/** Where the configuration file is looked for in a repository. */
export const configurationPaths = [".github/loadtest.yml", ".github/loadtest.yaml"] as const;
