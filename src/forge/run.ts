import * as z from "zod";
import type { PullRequestOfRun } from "../model/pull-request.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** The text of the event file, or the reason why there is none. */
export type EventFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing"; readonly reason: string };

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

interface Run {
  /** No slash at the end, as in all URLs here. */
  readonly apiUrl: string;
  /** Grows over all runs of the forge. */
  readonly runId: number;
  /** Grows within the workflow, or the project. */
  readonly runNumber: number;
  readonly attempt: number;
  /** The commit that is checked out: the head, or its merge with the base. */
  readonly sha: string;
  /** Unique among the jobs of the run; absent: unknown. */
  readonly job?: string;
  readonly pullRequest: PullRequestOfRun;
  readonly url: string;
  /** e.g. `run 12` */
  readonly label: string;
  /** The address of the repository's files, up to the commit. */
  readonly filesUrl: string;
}

export interface WorkflowRun extends Run {
  readonly kind: "github" | "gitea";
  readonly serverUrl: string;
  readonly repository: RepositoryName;
  readonly event: string;
  /** The branch or tag that it was started for, e.g. `refs/heads/main`; absent: the runner does not name it. */
  readonly ref?: string;
  /** Absent: the event does not name it. */
  readonly defaultBranch?: string;
}

export interface GitLabJob extends Run {
  readonly kind: "gitlab";
  readonly projectId: number;
  readonly projectUrl: string;
}

/** A run on a forge; or a run elsewhere, with the reason for taking it for one. */
export type RunContext = WorkflowRun | GitLabJob | { readonly kind: "local"; readonly reason: string };

export interface ForgeTraits {
  readonly name: string;
  isAround(variables: Variables): boolean;
  /** Reads the facts of a run. Anything missing or invalid becomes a reason. */
  readRun(variables: Variables, event: EventFile): RunContext;
  /** Variables in which workflows and their authors put its tokens; the first one is for comments. */
  readonly tokenVariables: readonly [string, ...string[]];
  /** How its tokens begin, as the source of a pattern. */
  readonly tokenStart?: string;
  /** Variables of each job, whatever its author does; absent: none may hold a token. */
  readonly ownVariables?: RegExp;
  /** Reason to request nothing without a token. */
  readonly noToken: string;
  /** What a token that may not comment lacks. */
  readonly remedy: string;
  /** Set when the token of a fork's run can only read, whatever the workflow asks for: what to do then. */
  readonly forkRemedy?: string;
  /** Where a run's page lists its artifacts; absent: nowhere. */
  readonly artifactsAnchor?: `#${string}`;
  /** True when `/loadtest accept` is read there. */
  readonly takesAcceptances: boolean;
  /** Reasons for parts of GitHub's API that its API lacks: their answer 404 is no missing permission. */
  readonly lacks?: { readonly checkRuns: string; readonly branches: string };
}

export const shaSchema = z.string().regex(/^[0-9a-f]{40,64}$/);

export const countSchema = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

export const addressSchema = z
  .url({ protocol: /^https?$/ })
  .refine((text) => /^[^?#@]*$/.test(text), "has a user, a query or a fragment")
  .transform((text) => text.replace(/\/+$/, ""));

/** Reads the variables of a run, or says which of them are at fault. Empty ones count as not set. */
export function readVariables<T>(
  schema: z.ZodType<T>,
  variables: Variables,
  run: string,
): { readonly kind: "read"; readonly value: T } | { readonly kind: "local"; readonly reason: string } {
  const parsed = schema.safeParse(
    Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== "")),
  );
  if (parsed.success) return { kind: "read", value: parsed.data };
  const broken = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))];
  return {
    kind: "local",
    reason: `${run} lacks what identifies it: ${broken.join(", ")} missing or invalid`,
  };
}
