import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { textOf, workflow } from "./files.ts";

const images = ["ubuntu-24.04", "ubuntu-24.04-arm", "ubuntu-26.04", "ubuntu-26.04-arm"];

type Matrix = { readonly [name: string]: unknown; readonly include?: readonly Record<string, string>[] };
type Job = { readonly strategy?: { readonly matrix?: Matrix } };

function matrixOf(path: string, name: string): Matrix {
  const { [name]: job } = workflow(`.github/workflows/${path}`).jobs as Readonly<Record<string, Job>>;
  return job?.strategy?.matrix ?? {};
}

/** Values of one key in the rows, each once. */
function valuesOf({ include = [] }: Matrix, key: string): readonly string[] {
  return [...new Set(include.flatMap((row) => row[key] ?? []))].toSorted();
}

test("CI tests exactly the versions of Node that `engines` promises", () => {
  const { engines } = JSON.parse(textOf("package.json"));
  expect(engines.node.split(" || ")).toEqual(valuesOf(matrixOf("ci.yml", "test"), "node"));
  expect(JSON.parse(textOf("package-lock.json")).packages[""].engines).toEqual(engines);
});

test("CI, releases and the weekly self-test run on each image that docs/platforms.md promises", () => {
  expect(valuesOf(matrixOf("ci.yml", "test"), "runner")).toEqual(images);
  expect(valuesOf(matrixOf("release.yml", "check"), "runner")).toEqual(images);
  expect(matrixOf("selftest.yml", "image")["image"]).toEqual(images);
  for (const image of images) expect(textOf("docs/platforms.md")).toContain(`\`${image}\``);
});

test("the weekly self-test makes one table of all images, also where one left no figures", () => {
  const { jobs } = workflow(".github/workflows/selftest.yml");
  const scriptOf = (job: string) => jobs[job]?.steps?.find(({ run }) => run?.includes("row.txt"))?.run ?? "";
  const folder = mkdtempSync(join(tmpdir(), "images-"));
  const bash = (script: string, variables: Readonly<Record<string, string>>) =>
    execFileSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      stdio: "pipe",
      cwd: folder,
      env: { PATH: process.env["PATH"], RUNNER_TEMP: folder, ...variables },
    });
  const figures = '{"cells":[{"verdict":"unchanged"},{"status":"failed"}]}';
  const all = { "ubuntu-24.04": figures, "ubuntu-26.04": "" };
  for (const [IMAGE, FIGURES] of Object.entries(all)) {
    bash(scriptOf("image"), { IMAGE, FIGURES });
    mkdirSync(join(folder, `image-${IMAGE}`));
    renameSync(join(folder, "row.txt"), join(folder, `image-${IMAGE}`, "row.txt"));
  }
  bash(scriptOf("images"), { GITHUB_STEP_SUMMARY: join(folder, "summary.md") });
  const rows = readFileSync(join(folder, "summary.md"), "utf8").trimEnd().split("\n");
  rmSync(folder, { recursive: true });
  const place = String.raw`\|[^|]+\|Python 3[^|]+\|v\d+[^|]+\|`;
  expect(rows).toEqual([
    "|image|kernel|Python|Node|verdict|",
    "|---|---|---|---|---|",
    expect.stringMatching(new RegExp(String.raw`^\|ubuntu-24\.04${place}unchanged, failed\|$`)),
    expect.stringMatching(new RegExp(String.raw`^\|ubuntu-26\.04${place}failed\|$`)),
  ]);
});
