/** Where it is written, and the file that it reads. */
export const workflowPath = ".github/workflows/loadtest.yml";

/** A workflow that measures every pull request; what it measures is in the configuration file. */
export function renderWorkflow(): string {
  return `# Load-tests every pull request against its base, and keeps one comment with the table.
# What is measured is in .github/loadtest.yml.
name: Load test
on: pull_request

permissions: {}

concurrency:
  group: load-test-\${{ github.ref }}
  cancel-in-progress: true

jobs:
  loadtest:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: read
      pull-requests: write # the comment
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 2 # the merge commit and both of its parents: the base is there without a fetch
          persist-credentials: false
      - uses: org/fastapi-loadtest-action@v1
`;
}
