import { expect, test } from "vitest";

import { refuseOptions } from "../../src/commands/request.ts";
import { InputError } from "../../src/errors/errors.ts";
import type { RequestPorts } from "../../src/ports/run.ts";

const ports = (readConfigurationFile: RequestPorts["readConfigurationFile"]): RequestPorts => ({
  files: { resolve: (path) => path, isFile: () => true, isFolder: () => true, findApps: () => [] },
  pullRequest: { kind: "none", reason: "" },
  unpackPlan: (text) => text,
  readConfigurationFile,
});
const noFile = ports(async () => undefined);
const unknown = "--nonsense is not an option of plan; `--help` lists them";

test.for([
  { name: "nothing", raw: { app: "x" }, problems: [], expected: undefined },
  { name: "an unknown option alone", raw: { app: "main:app" }, problems: [unknown], expected: [unknown] },
  {
    name: "an unknown option before all that is wrong in the values",
    raw: { app: "main:app", workers: "1,,2", duration: "soon" },
    problems: [unknown],
    expected: [unknown, expect.stringMatching(/^workers: /), expect.stringMatching(/^duration: /)],
  },
])("refuses $name", async ({ raw, problems, expected }) => {
  const refusing = refuseOptions({ verb: "plan", raw, problems }, noFile);
  if (expected === undefined) return await expect(refusing).resolves.toBeUndefined();
  const error: unknown = await refusing.catch((thrown: unknown) => thrown);
  expect(error instanceof InputError && error.problems).toEqual(expected);
});

test("an error that is no mistake of the user's goes through", async () => {
  const broken = ports(() => Promise.reject(new Error("no disk")));
  await expect(refuseOptions({ verb: "plan", raw: {}, problems: [unknown] }, broken)).rejects.toThrow(
    "no disk",
  );
});
