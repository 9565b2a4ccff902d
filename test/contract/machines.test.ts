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
