import { deflateRawSync, inflateRawSync } from "node:zlib";

import { InputError } from "../../errors/errors.ts";

/** A plan of the most cells, with the longest endpoints, has a tenth of it. */
const mostBytes = 50_000_000;

/** A plan as a job's output: short, and without a word, since GitHub drops outputs with a secret's text. */
export function packPlan(text: string): string {
  return deflateRawSync(text, { level: 9 }).toString("base64url");
}

/** The plan that was packed, or one that never was. Throws an `InputError` for anything else. */
export function unpackPlan(text: string): string {
  if (text.trimStart().startsWith("{")) return text;
  if (text.trim() === "lost")
    throw new InputError([
      "plan: was lost between two jobs, because GitHub drops outputs that contain the text of a secret. One of this workflow's secrets is too short, or occurs in the plan by chance. The log of the `plan` job names the output. Use a longer secret",
    ]);
  try {
    const packed = Buffer.from(text, "base64url");
    return inflateRawSync(packed, { maxOutputLength: mostBytes }).toString("utf8");
  } catch {
    throw new InputError([
      "plan: was not produced by the `plan` command; pass its `plan` output on unchanged",
    ]);
  }
}
