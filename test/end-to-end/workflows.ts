/** Inputs that both forms get: our own app, two endpoints, short loads. */
const inputs = `
          app: app.asgi:app
          install: INSTALL
          ready-path: /health
          workers: "1,2"
          endpoints: |
            /async_select?user_id=1
            /sync_select?user_id=1
          seed: |
            sql/01-schema.sql
            sql/02-seed.sql
            sql/03-indexes.sql
            sql/04-verify.sql
          duration: 1s
          warmup: 200ms`;

/** A team's workflow that calls the reusable workflow. `environmentFolder`: the app's Python environment. */
export function reusableWorkflow(environmentFolder: string): string {
  return `name: Load test
on: [pull_request, push]
permissions: {}
jobs:
  loadtest:
    permissions:
      contents: read
      pull-requests: write
    uses: org/fastapi-loadtest-action/.github/workflows/loadtest.yml@v1
    with:${inputs.replace("INSTALL", environmentFolder).replaceAll("\n    ", "\n")}
`;
}

/** A team's workflow that uses the composite action in a job of its own. */
export function compositeWorkflow(environmentFolder: string): string {
  return `name: Load test
on: [pull_request, push]
permissions: {}
jobs:
  loadtest:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - id: loadtest
        uses: org/fastapi-loadtest-action@v1
        with:
          report-id: composite${inputs.replace("INSTALL", environmentFolder)}
      - run: echo "verdict=$VERDICT comment=$COMMENT"
        env:
          VERDICT: \${{ steps.loadtest.outputs.verdict }}
          COMMENT: \${{ steps.loadtest.outputs.comment }}
`;
}

/** A team's workflow for the shop, which compares a pull request with its base. */
export function comparingWorkflow(environmentFolder: string): string {
  return `name: Load test
on: [pull_request]
permissions: {}
jobs:
  loadtest:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 2
          persist-credentials: false
      - id: loadtest
        uses: org/fastapi-loadtest-action@v1
        with:
          app: main:app
          install: ${environmentFolder}
          ready-path: /health
          workers: "1"
          endpoints: |
            /orders
            /price
            /tax
          seed: schema.sql
          max-minutes: "5"
          smallest-effect: 5%
`;
}
