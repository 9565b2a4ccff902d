import type { InputRow } from "./row.ts";

type Place = Pick<InputRow, "description" | "fallback">;

/** Inputs of the action that the program does not have. */
export const actionInputs: Readonly<Record<string, Place>> = {
  command: {
    description:
      "Part to run. `run`: everything. `plan`, `measure`, `report`: one step of it. `post`: comments on the pull request with another run's report. `announce`: comments that this run measures. `withdraw`: takes that back (`run` does both by itself). `trends`: draws a kept history as a page.",
    fallback: "run",
  },
  "github-token": {
    description:
      "Token for the comment; it needs `pull-requests: write`. Only the steps that announce and report get it, not the one that measures.",
    fallback: `\${{ github.token }}`,
  },
};

/** Inputs that only the reusable workflow has. */
export const workflowInputs: Readonly<Record<string, Place>> = {
  "runs-on": {
    description:
      'Label of the runners that measure. A list of labels, or a group, as JSON: `["self-hosted", "linux"]`, `{"group": "large"}`.',
    fallback: "ubuntu-latest",
  },
  "timeout-minutes": { description: "Most minutes for one job.", fallback: "60" },
  "postgres-image": {
    description:
      "Image of the Postgres service. It is used when `database` is `postgres` and `database-url` is empty.",
    fallback: "postgres:18.4@sha256:3a82e1f56c8f0f5616a11103ac3d47e632c3938698946a7ad26da0df1334744a",
  },
};
