import type { Service } from "../../model/workload/service.ts";

/** Path of the workflow file. */
export const workflowPath = ".github/workflows/loadtest.yml";

/** Packages with the programs of services; others have an image. */
export function packagesOf(services: readonly Service[]): readonly string[] {
  return [...new Set(services.flatMap(({ debianPackage }) => debianPackage ?? []))];
}

const minutesOfApp = 15;
// the default of `max-minutes`; and as many for the job itself
/**
 * A workflow that measures every pull request.
 *
 * @param paths configuration files of the measurement
 * @param packages Debian's, with the services that the apps need and GitHub's machines lack
 */
export function renderWorkflow(paths: readonly string[], packages: readonly string[]): string {
  const isOne = paths.length === 1;
  const install =
    packages.length > 0
      ? `\n      - run: sudo apt-get update && sudo apt-get install --yes ${packages.join(" ")}`
      : "";
  const config = ["", "        with:", "          config: |", ...paths.map((path) => `            ${path}`)];
  return `# Load-tests every pull request against its base, and keeps one comment up to date${isOne ? "" : " with a section for each app"}.
# Settings are in ${isOne ? paths[0] : "the files in `config`"}.
name: Load test
on: pull_request

permissions: {}

concurrency:
  group: load-test-\${{ github.ref }}
  cancel-in-progress: true

jobs:
  loadtest:
    runs-on: ubuntu-latest
    timeout-minutes: ${minutesOfApp * (paths.length + 1)}
    permissions:
      contents: read
      pull-requests: write # the comment
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 2 # the merge commit and both of its parents, so that the base needs no fetch
          persist-credentials: false${install}
      # To pin the action, replace v1 with the commit SHA of a release.
      - uses: org/fastapi-loadtest-action@v1${isOne ? "" : config.join("\n")}
`;
}
