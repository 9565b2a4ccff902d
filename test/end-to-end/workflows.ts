/** Inputs that both forms get: our own app, two endpoints, short loads. */
const inputs = `
          app: app.asgi:app
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
          settings: |
            install: INSTALL
            ready-path: /health
            warmup: 200ms
            diagnose: never`;

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
    with:
      # A list of labels, and texts that are empty as those of a caller's own inputs may be.
      runs-on: '["ubuntu-latest"]'
      timeout-minutes: ""
      report-id: ""
      comment-mode: ""${inputs.replace("INSTALL", environmentFolder).replaceAll("\n    ", "\n")}
`;
}

/** Two configuration files of one repository, each of an app of its own, and a workflow that reports on both. */
export const twoApps = {
  "async.yml": "name: async\napp: app.asgi:app\nendpoints: [/async_select?user_id=1]\n",
  "sync.yml": "name: sync\napp: app.asgi:app\nendpoints: [/sync_select?user_id=1]\n",
} as const;

export function workflowOfTwoApps(environmentFolder: string): string {
  const files = Object.keys(twoApps).map((name) => `\n        .github/${name}`);
  return reusableWorkflow(environmentFolder)
    .replace(/app: app.asgi:app/, `config: |${files.join("")}`)
    .replace(/\n +endpoints: \|(?:\n +\/.*)+/, "");
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
        with:${inputs.replace("INSTALL", environmentFolder).replace('"1,2"', '"1"')}
      - run: echo "verdict=$VERDICT comment=$COMMENT"
        env:
          VERDICT: \${{ steps.loadtest.outputs.verdict }}
          COMMENT: \${{ steps.loadtest.outputs.comment }}
`;
}

/** A team's workflow for the shop, which compares these endpoints of a pull request with those of its base. */
export function comparingWorkflow(environmentFolder: string, endpoints: readonly string[]): string {
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
          settings: |
            install: ${environmentFolder}
            ready-path: /health
            soak: 0s
          workers: "1"
          endpoints: |
${endpoints.map((endpoint) => `            ${endpoint}`).join("\n")}
          seed: schema.sql
          max-minutes: "5"
          min-change: 5%
`;
}

/**
 * A workflow for an app without a database that does not start, with a later step that gives the runner the commands
 * that the app would like to give.
 */
export function hostileWorkflow(environmentFolder: string, command: string): string {
  return `name: Load test
on: [pull_request]
permissions: {}
jobs:
  loadtest:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: org/fastapi-loadtest-action@v1
        with:
          app: main:app
          workers: "1"
          endpoints: /
          duration: 1s
          comment-mode: never
          settings: |
            install: ${environmentFolder}
            database: none
            diagnose: never
      - if: \${{ always() }}
        run: echo "${command}"
`;
}
