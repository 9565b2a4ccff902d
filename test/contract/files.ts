import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

/** Files of the repository that must agree, as text and parsed. */
export const root = resolve(import.meta.dirname, "../..");

export function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Owner and name of this repository, e.g. `org/fastapi-loadtest-action`, by the one place that says it. */
export const ourRepository = readRepository();

function readRepository(): string {
  const { repository }: { readonly repository: string } = JSON.parse(textOf("package.json"));
  return repository.replace(/^github:/, "");
}

/** Parsed YAML; the test itself states its form. */
export function yamlOf<T>(path: string): T {
  return parse(textOf(path));
}

export const workflowPaths = readdirSync(join(root, ".github/workflows")).map(
  (name) => `.github/workflows/${name}`,
);

/** Workflows for others to copy. */
export const examplePaths = readdirSync(join(root, "examples"))
  .filter((name) => name.endsWith(".yml"))
  .map((name) => `examples/${name}`);

export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string;
  readonly "continue-on-error"?: boolean;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly "runs-on"?: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly uses?: string;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly "timeout-minutes"?: number | string;
  readonly outputs?: Readonly<Record<string, string>>;
}

export interface Declared {
  readonly description: string;
  readonly default: string;
}

export interface Workflow {
  readonly on: {
    readonly workflow_call?: {
      readonly inputs: Readonly<Record<string, Declared & { readonly type: string }>>;
      readonly outputs?: Readonly<Record<string, { readonly description: string }>>;
      readonly secrets?: Readonly<Record<string, { readonly description: string }>>;
    };
  };
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Action {
  readonly inputs: Readonly<Record<string, Declared>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

export const action = yamlOf<Action>("action.yml");

export function workflow(path: string): Workflow {
  return yamlOf(path);
}
