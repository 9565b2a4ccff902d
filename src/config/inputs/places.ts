import type { Row } from "./row.ts";

type Place = Pick<Row, "description" | "fallback">;

/** What only an action needs beside the program's own inputs. */
export const actionInputs: Readonly<Record<string, Place>> = {
  command: {
    description:
      "Which part to run: `run` (everything), `plan`, `measure` or `report`; `post`, which comments what another run reported; or `announce`, which comments that this run measures, and `withdraw`, which takes that back (`run` does both by itself); or `trends`, which draws a kept history as a page.",
    fallback: "run",
  },
  "github-token": {
    description:
      "Token for the comment. Only the steps that announce and report get it, not the one that measures; it needs `pull-requests: write`.",
    fallback: `\${{ github.token }}`,
  },
};

/** What only a workflow needs. */
export const workflowInputs: Readonly<Record<string, Place>> = {
  "runs-on": { description: "Label of the runners that measure.", fallback: "ubuntu-latest" },
  "timeout-minutes": { description: "How long one job may take, in minutes.", fallback: "60" },
  "postgres-image": {
    description:
      "Image of the Postgres service; used when `database` is `postgres` and `database-url` is empty.",
    fallback: "postgres:18.4@sha256:3a82e1f56c8f0f5616a11103ac3d47e632c3938698946a7ad26da0df1334744a",
  },
};
