import { parseArgsStringToArgv } from "string-argv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { withoutSelfReference } from "../end-to-end/self-reference.ts";
import { action, type Job, ourRepository, type Step, textOf, workflow, workflowPaths } from "./files.ts";

const ourAction = "$/";
const inReadme = `${ourRepository}@v1`;
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

/** The first of its workflows that has the action in a job of its own. */
function exampleIn(readme: string): Job {
  const blocks = [...readme.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml = ""]) => yaml);
  const examples = blocks.map((yaml): { readonly jobs: Readonly<Record<string, Job>> } => parse(yaml));
  return (
    examples.flatMap(({ jobs: all }) => all["loadtest"] ?? []).find(({ steps: own }) => own !== undefined) ??
    {}
  );
}

const usesOf = ({ steps: all = [] }: Job) => all.map(({ uses = "" }) => uses.split("@")[0]);

describe("every workflow", () => {
  test("pins one action at one version", () => {
    const pins = new Map<string, Set<string>>();
    for (const [, { uses }] of steps) {
      const [name = "", version = ""] = uses?.split("@") ?? [];
      pins.set(name, (pins.get(name) ?? new Set()).add(version));
    }
    for (const [name, versions] of pins) expect([name, versions.size]).toEqual([name, 1]);
  });

  test("checks out the base's commit wherever the action compares with it", () => {
    const measuring = [...jobs, ["README.md", readmeJob] as const].filter(([, { steps: all = [] }]) =>
      all.some(({ uses = "", with: given = {} }) => {
        const command = given["command"] ?? "run";
        return (uses === ourAction || uses === inReadme) && (command === "run" || command === "measure");
      }),
    );
    expect(measuring.map(([name]) => name)).toEqual(
      expect.arrayContaining([".github/workflows/loadtest.yml measure", "README.md"]),
    );
    for (const [name, { steps: all = [] }] of measuring) {
      const checkout = all.find(({ uses = "" }) => uses.startsWith("actions/checkout@"));
      const depth = String(checkout?.with?.["fetch-depth"]);
      const wanted = / (?:control|known|image)$/.test(name)
        ? /^undefined$/
        : /^2$|needs\.plan\.outputs\.fetch-depth /;
      expect([name, depth]).toEqual([name, expect.stringMatching(wanted)]);
    }
  });
});

describe("the jobs of loadtest.yml", () => {
  test("measure with the right to read, and nothing else", () => {
    expect(job("loadtest.yml", "measure").permissions).toEqual({ contents: "read" });
  });

  test("T11, T32: hand secrets of a login to the step that measures alone", () => {
    const { on, jobs: all } = workflow(".github/workflows/loadtest.yml");
    const names = Object.keys(on.workflow_call?.secrets ?? {});
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^LOADTEST_[A-Z_]+$/);
    const own = Object.fromEntries(names.map((name) => [name, `\${{ secrets.${name} }}`]));
    expect(all["report"]?.steps?.find(({ uses }) => uses === ourAction)).not.toHaveProperty("env");
    const measuring = all["measure"]?.steps?.find(({ uses }) => uses === ourAction);
    expect(measuring?.env).toEqual(own);
    const text = textOf(".github/workflows/loadtest.yml");
    // `endpoints: auto` installs the app where it plans; and nowhere else.
    const index = { LOADTEST_PACKAGE_INDEX: own["LOADTEST_PACKAGE_INDEX"] };
    expect(all["plan"]?.steps?.find(({ uses }) => uses === ourAction)?.env).toEqual(index);
    expect(text.match(/\$\{\{[^}]*secrets[.[][^}]*\}\}/g)).toEqual([
      ...Object.values(index),
      ...Object.values(own),
    ]);
    expect(text).not.toMatch(/toJSON\(secrets\)/i);
  });

  test("announce without any code, and not where the token can only read", () => {
    const announce = job("loadtest.yml", "announce");
    expect(usesOf(announce)).toEqual([ourAction]);
    expect(announce.permissions).toEqual({ "pull-requests": "write" });
    expect(announce.if).toContain("head.repo.full_name == github.repository");
  });

  test("T32: keep those secrets from the action's own steps that do not measure", () => {
    const names = Object.keys(workflow(".github/workflows/loadtest.yml").on.workflow_call?.secrets ?? {});
    const others = action.runs.steps.filter(
      ({ id, uses }) => id !== "measure" && uses?.startsWith("actions/") !== true,
    );
    expect(others.map(({ id }) => id)).toEqual([
      "preflight",
      "announce",
      "setup-k6",
      "k6",
      "valgrind",
      "actions",
      "report",
      "plain",
      undefined,
      "page",
      "withdraw",
    ]);
    for (const { env } of others) for (const name of names) expect(env?.[name], name).toBe("");
    const measuring = action.runs.steps.find(({ id }) => id === "measure");
    for (const name of names) expect(measuring?.env).not.toHaveProperty(name);
  });

  test("F7: take an announcement back when the run is cancelled, and report after it at the earliest", () => {
    expect(job("loadtest.yml", "report").needs).toEqual(["announce", "plan", "measure"]);
    const withdraw = job("loadtest.yml", "withdraw");
    expect(withdraw.needs).toEqual(["announce", "plan", "measure", "report"]);
    expect(withdraw.if).toContain("cancelled()");
    expect(usesOf(withdraw)).toEqual([ourAction]);
    expect(withdraw.permissions).toEqual({ "pull-requests": "write" });
    const last = action.runs.steps.at(-1);
    expect(last?.id).toBe("withdraw");
    expect(last?.if).toContain("cancelled() && steps.announce.outcome != 'skipped'");
  });

  test("report without any code of the pull request", () => {
    const report = job("loadtest.yml", "report");
    expect(usesOf(report)).toEqual(["actions/download-artifact", ourAction]);
    expect(report.steps?.some(({ run }) => run !== undefined)).toBe(false);
    expect(report.permissions).toEqual({ "pull-requests": "write" });
  });

  test("upload under names that the report asks for", () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    const download = job("loadtest.yml", "report").steps?.find(({ uses }) =>
      uses?.startsWith("actions/download-artifact@"),
    );
    const measuring = job("loadtest.yml", "measure").steps?.find(({ uses }) => uses === ourAction);
    // Of this call alone: two calls in one run have jobs of the same names.
    const id = `\${{ inputs.report-id || 'default' }}-\${{ needs.plan.outputs.plan-id }}`;
    expect(measuring?.with?.["report-id"]).toBe(id);
    const named = "steps.preflight.outputs.report-id || inputs.report-id";
    const fill = (text = "") =>
      text
        .replaceAll(
          `\${{ inputs.command == 'measure' && format('loadtest-{0}-', ${named}) || format('loadtest-report-{0}+', ${named}) }}`,
          "loadtest-ID-",
        )
        .replaceAll(id, "ID")
        .replaceAll(`\${{ github.job }}`, "measure")
        .replaceAll(`\${{ steps.preflight.outputs.job-number }}`, "7");
    expect(fill(upload?.with?.["name"])).toBe("loadtest-ID-measure-7");
    expect(fill(download?.with?.["pattern"])).toBe("loadtest-ID-measure-*");
  });

  test("T2, T12: upload documents by name, never a folder", () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    const files = (upload?.with?.["path"] ?? "").trim().split("\n");
    for (const file of files)
      expect(file).toMatch(/^\$\{\{ inputs\.results-directory \}\}\/(cells\/\*|[\w-]+)\.(json|md|csv|xml)$/);
    expect(upload?.with?.["include-hidden-files"]).toBeUndefined();
  });

  test("upload the page by itself, under a name that no attempt uses twice", () => {
    const steps = action.runs.steps;
    const naming = steps.findIndex(({ id }) => id === "page");
    expect(steps[naming]?.env?.["NAME"]).toMatch(/-\$\{\{ github\.run_attempt \}\}\.html$/);
    expect(steps[naming]?.if).toContain("steps.preflight.outputs.artifacts == 'yes'");
    // An upload without an archive takes the file's name, and cannot overwrite.
    const { uses, with: given } = steps[naming + 1] ?? {};
    expect(uses).toMatch(/^actions\/upload-artifact@/);
    expect(given).toEqual({ path: `\${{ steps.page.outputs.path }}`, archive: false });
  });
});

describe("the reusable workflows", () => {
  const reusable = ["loadtest.yml", "post-report.yml"] as const;

  test.for(reusable)("T23: %s runs the action of its own commit, whoever pins it", (name) => {
    const all = Object.values(workflow(`.github/workflows/${name}`).jobs).flatMap(({ steps: own = [] }) =>
      own.flatMap(({ uses }) => uses ?? []),
    );
    expect(all).toContain(ourAction);
    expect(all.filter((uses) => uses.includes(ourRepository) || uses.startsWith("./"))).toEqual([]);
  });

  test.for(reusable)("act runs %s with one word changed: it does not know `$/`", (name) => {
    const before = textOf(`.github/workflows/${name}`).split("\n");
    const after = withoutSelfReference(before.join("\n"), `${ourRepository}@v1`).split("\n");
    const changed = before.flatMap((line, index) => (line === after[index] ? [] : [[line, after[index]]]));
    expect(changed.length).toBeGreaterThan(0);
    expect(after).toHaveLength(before.length);
    for (const [from = "", to] of changed) {
      expect(from).toMatch(/^ +(?:- )?uses: \$\/$/);
      expect(to).toBe(from.replace("$/", () => `${ourRepository}@v1`));
    }
    expect(after.join("\n")).not.toMatch(/uses: \$\//);
  });

  test("take an empty text for every input that is a text", () => {
    const text = textOf(".github/workflows/loadtest.yml");
    const { inputs = {} } = workflow(".github/workflows/loadtest.yml").on.workflow_call ?? {};
    expect(Object.values(inputs).filter(({ type }) => type !== "string")).toEqual([]);
    // fromJSON('') fails a job before its first step, and so does an empty `runs-on`.
    for (const [, inner = ""] of text.matchAll(/fromJSON\(([^()]*)\)/g))
      expect([
        inner,
        /\|\| '[^']+'$|^needs\.plan\.outputs\.matrix$|^inputs\.(?:report-)?runs-on$/.test(inner),
      ]).toEqual([inner, true]);
    expect(job("loadtest.yml", "measure")).toMatchObject({
      // Not reached without a matrix; and JSON is only what begins like it.
      if: expect.stringContaining("needs.plan.outputs.matrix != ''"),
      "runs-on": `\${{ (startsWith(inputs.runs-on, '[') || startsWith(inputs.runs-on, '{')) && fromJSON(inputs.runs-on) || inputs.runs-on || 'ubuntu-latest' }}`,
      "timeout-minutes": `\${{ fromJSON(inputs.timeout-minutes || '60') }}`,
    });
  });

  test("run where `report-runs-on` names another place, unless they measure", () => {
    const { jobs: all } = workflow(".github/workflows/loadtest.yml");
    for (const [name, { "runs-on": place = "" }] of Object.entries(all)) {
      const input = name === "measure" ? "inputs.runs-on" : "inputs.report-runs-on";
      expect([name, String(place)]).toEqual([
        name,
        expect.stringContaining(`|| ${input} || 'ubuntu-latest'`),
      ]);
    }
  });

  test("say it when GitHub has dropped what one job hands to the others", () => {
    const report = job("loadtest.yml", "report").steps?.find(({ uses }) => uses === ourAction);
    expect(report?.with?.["plan"]).toContain("needs.plan.result == 'success' && 'lost'");
    const { outputs = {} } = job("loadtest.yml", "plan");
    // What is not packed, or escaped, has letters and digits of its own only.
    expect(Object.keys(outputs)).toEqual(["plan", "plan-id", "matrix", "fetch-depth", "max-parallel"]);
  });
});

describe("post-report.yml", () => {
  test("T1: has no step but the action's own, which posts", () => {
    const post = job("post-report.yml", "post");
    expect(post.steps).toEqual([
      { id: "post", uses: ourAction, with: { command: "post", "report-id": `\${{ inputs.report-id }}` } },
    ]);
    expect(post.permissions).toEqual({ actions: "read", "pull-requests": "write" });
    expect(post.if).toBe(`\${{ github.event.workflow_run.event == 'pull_request' }}`);
  });
});

describe("release.yml", () => {
  test("T27: uses no cache", () => {
    const text = textOf(".github/workflows/release.yml");
    expect(text).not.toMatch(/actions\/cache|cache-dependency-path|^\s*cache:/m);
    for (const [name, { uses = "", with: given }] of steps) {
      if (name.includes("release.yml") && uses.startsWith("actions/setup-")) {
        expect(given?.["package-manager-cache"]).toBe(false);
      }
    }
  });
});

const released = ["fastapi-loadtest.tgz", "sbom.spdx.json", "THIRD-PARTY.txt"];

test("T25, T26: a release attests its bundle and what is in it, and publishes those very files", () => {
  const attest = job("release.yml", "attest");
  const attested = attest.steps?.filter(({ uses }) => uses?.startsWith("actions/attest@")) ?? [];
  const subjects = "dist/*.js\nreproduce/dist/reproduce.js\ndist/fastapi-loadtest.tgz\n";
  expect(attested.map(({ with: given }) => given)).toEqual([
    { "subject-path": subjects },
    { "subject-path": subjects, "sbom-path": "dist/sbom.spdx.json" },
  ]);
  const stepsBefore = attest.steps?.slice(
    0,
    attest.steps.findIndex(({ uses = "" }) => uses.startsWith("actions/attest@")),
  );
  expect(stepsBefore?.map(({ run }) => run)).toEqual(
    expect.arrayContaining(["npm ci", "node scripts/build.mjs --check", "node scripts/pack.mjs dist"]),
  );
  expect(textOf(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  expect(attest.permissions).toEqual({ contents: "read", "id-token": "write", attestations: "write" });
  const publish = job("release.yml", "publish");
  expect(usesOf(publish)).toContain("actions/download-artifact");
  expect(publish.permissions).toEqual({ contents: "write" });
  const upload = attest.steps?.find(({ uses = "" }) => uses.startsWith("actions/upload-artifact@"));
  const download = publish.steps?.find(({ uses = "" }) => uses.startsWith("actions/download-artifact@"));
  expect(upload?.with?.["path"]?.trim().split("\n")).toEqual(released.map((name) => `dist/${name}`));
  expect(download?.with).toEqual({ name: upload?.with?.["name"], path: "release" });
  const commands = (publish.steps ?? [])
    .flatMap(({ run = "" }) => run.replaceAll(/\\\n\s*/g, "").split("\n"))
    .filter((line) => line.includes("gh release"));
  expect(commands.map((command) => parseArgsStringToArgv(command))).toEqual([
    [
      ...[
        "gh",
        "release",
        "create",
        "v$VERSION",
        "--target",
        "$SHA",
        "--title",
        "v$VERSION",
        "--generate-notes",
      ],
      ...released.map((name) => `release/${name}`),
    ],
  ]);
});
