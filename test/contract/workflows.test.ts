import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { action, type Job, root, type Step, textOf, workflow, workflowPaths } from "./files.ts";

const ourAction = "org/fastapi-loadtest-action@v1";
const paths = ["action.yml", ...workflowPaths];
const jobs = workflowPaths.flatMap((path) =>
  Object.entries(workflow(path).jobs).map(([name, job]) => [`${path} ${name}`, job] as const),
);
const steps: readonly (readonly [string, Step])[] = [
  ...action.runs.steps.map((step) => ["action.yml", step] as const),
  ...jobs.flatMap(([name, job]) => (job.steps ?? []).map((step) => [name, step] as const)),
];

function job(path: string, name: string): Job {
  const found = workflow(`.github/workflows/${path}`).jobs[name];
  if (found === undefined) throw new Error(`${path} has no job ${name}`);
  return found;
}

/** The example that people copy. */
const readmeJob: Job = exampleIn(textOf("README.md"));

function exampleIn(readme: string): Job {
  const [, yaml = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const example: { readonly jobs: Readonly<Record<string, Job>> } = parse(yaml);
  return example.jobs["loadtest"] ?? {};
}

const usesOf = ({ steps: all = [] }: Job) => all.map(({ uses = "" }) => uses.split("@")[0]);

describe("every workflow", () => {
  test.for(paths)("pins each action in %s by commit, with its version beside it", (path) => {
    const uses = textOf(path)
      .split("\n")
      .filter((line) => /^\s*(- )?uses:/.test(line))
      .map((line) => line.replace(/^\s*(- )?uses:\s*/, ""))
      .filter((line) => !line.startsWith(ourAction) && !line.startsWith("./"));
    for (const line of uses) expect(line).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("pins one action at one version", () => {
    const pins = new Map<string, Set<string>>();
    for (const [, { uses }] of steps) {
      const [name = "", version = ""] = uses?.split("@") ?? [];
      pins.set(name, (pins.get(name) ?? new Set()).add(version));
    }
    for (const [name, versions] of pins) expect([name, versions.size]).toEqual([name, 1]);
  });

  test.for(workflowPaths)("%s grants nothing at the top and says what each job needs", (path) => {
    const { permissions, jobs: all } = workflow(path);
    expect(permissions).toEqual({});
    for (const each of Object.values(all)) expect(each.permissions).toBeDefined();
  });

  test.for(workflowPaths)("%s is not started by a privileged event", (path) => {
    expect(Object.keys(workflow(path).on)).not.toContain("pull_request_target");
    expect(textOf(path)).not.toContain("secrets: inherit");
  });

  test("pastes nothing into scripts", () => {
    for (const [name, { run = "" }] of steps)
      expect([name, run]).toEqual([name, expect.not.stringContaining("${{")]);
  });

  test("leaves no credential behind", () => {
    for (const [name, { uses = "", with: given }] of steps) {
      if (uses.startsWith("actions/checkout@"))
        expect([name, given?.["persist-credentials"]]).toEqual([name, false]);
    }
  });

  test("checks out the base's commit wherever the action compares with it", () => {
    const measuring = [...jobs, ["README.md", readmeJob] as const].filter(([, { steps: all = [] }]) =>
      all.some(({ uses = "", with: given = {} }) => {
        const command = given["command"] ?? "run";
        return (uses === "./" || uses === ourAction) && (command === "run" || command === "measure");
      }),
    );
    expect(measuring.map(([name]) => name)).toContain(".github/workflows/loadtest.yml measure");
    for (const [name, { steps: all = [] }] of measuring) {
      const checkout = all.find(({ uses = "" }) => uses.startsWith("actions/checkout@"));
      const depth = String(checkout?.with?.["fetch-depth"]);
      const wanted = name.endsWith(" control") ? /^undefined$/ : /^2$|inputs\.base-ref\) && 2 \|\| 0 /;
      expect([name, depth]).toEqual([name, expect.stringMatching(wanted)]);
    }
  });

  test("gives every job a time-out", () => {
    const without = jobs.filter(
      ([, each]) => each.uses === undefined && each["timeout-minutes"] === undefined,
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  test("builds no concurrency group from a name that a fork chooses", () => {
    for (const path of workflowPaths) expect(textOf(path)).not.toMatch(/head_ref|head_branch|head\.ref/);
  });
});

describe("the jobs of loadtest.yml", () => {
  test("measure with the right to read, and nothing else", () => {
    expect(job("loadtest.yml", "measure").permissions).toEqual({ contents: "read" });
  });

  test("report without any code of the pull request", () => {
    const report = job("loadtest.yml", "report");
    expect(usesOf(report)).toEqual(["actions/download-artifact", "org/fastapi-loadtest-action"]);
    expect(report.steps?.some(({ run }) => run !== undefined)).toBe(false);
    expect(report.permissions).toEqual({ "pull-requests": "write" });
  });

  test("upload under names that the report asks for", () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    const download = job("loadtest.yml", "report").steps?.find(({ uses }) =>
      uses?.startsWith("actions/download-artifact@"),
    );
    const fill = (text = "") =>
      text
        .replaceAll(`\${{ inputs.report-id }}`, "ID")
        .replaceAll(`\${{ github.job }}`, "measure")
        .replaceAll(`\${{ steps.preflight.outputs.job-number }}`, "7");
    expect(fill(upload?.with?.["name"])).toBe("loadtest-ID-measure-7");
    expect(fill(download?.with?.["pattern"])).toBe("loadtest-ID-measure-*");
  });

  test("upload documents by name, never a folder", () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    const files = (upload?.with?.["path"] ?? "").trim().split("\n");
    for (const file of files)
      expect(file).toMatch(/^\$\{\{ inputs\.results-folder \}\}\/(cells\/\*|[\w-]+)\.(json|html|md)$/);
    expect(upload?.with?.["include-hidden-files"]).toBeUndefined();
  });
});

describe("release.yml", () => {
  test("uses no cache", () => {
    const text = textOf(".github/workflows/release.yml");
    expect(text).not.toMatch(/actions\/cache|cache-dependency-path|^\s*cache:/m);
    for (const [name, { uses = "", with: given }] of steps) {
      if (name.includes("release.yml") && uses.startsWith("actions/setup-")) {
        expect(given?.["package-manager-cache"]).toBe(false);
      }
    }
  });
});

test("action.yml asks for the version of k6 that the set-up pins", async () => {
  const { k6 } = await import(`${root}/scripts/setup/programs.mjs`);
  const setup = action.runs.steps.find(({ uses }) => uses?.startsWith("grafana/setup-k6-action@"));
  expect(setup?.with?.["k6-version"]).toBe(k6.version);
});
