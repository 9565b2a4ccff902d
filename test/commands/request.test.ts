import { expect, test } from "vitest";
import { readAll, readRequest, refuseOptions, refuseTokens } from "../../src/commands/request.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import type { RawInputs } from "../../src/config/inputs.ts";
import { InputError } from "../../src/errors/errors.ts";
import type { RequestPorts } from "../../src/ports/run.ts";

/** Names of the files that are read, where the repository has these. */
async function filesRead(raw: RawInputs, present: readonly string[]): Promise<readonly string[]> {
  const { apps } = await readRequest("plan", raw, {
    files: {
      resolve: (path, folder = "/repo") => (path === "." ? folder : `${folder}/${path}`),
      isFile: (path) => present.includes(path.replace("/repo/", "")),
      isFolder: () => true,
      findApps: () =>
        ["a", "b", "b", "c"].map((folder) => ({ folder, importString: "m:app", framework: "x" })),
    },
    pullRequest: { kind: "none", reason: "" },
    unpackPlan: (text) => text,
    readConfigurationFile: async (name) => {
      const path = name === "" ? ".github/loadtest.yml" : name;
      return present.includes(path)
        ? parseConfigurationFile(
            path,
            `/repo/${path.replace("/loadtest.yml", "")}`,
            `name: ${name.charAt(0) || "x"}\napp: m:app\nendpoints: [/]\n`,
          )
        : undefined;
    },
  });
  return apps.map(({ config }) => config);
}

const usual = ".github/loadtest.yml";
const [ofA, ofB] = ["a/loadtest.yml", "b/loadtest.yml"];

test.for<readonly [what: string, raw: RawInputs, present: readonly string[], read: readonly string[]]>([
  ["the repository's own", {}, [usual, ofA], [""]],
  ["those of its apps, without one of its own", {}, [ofA, ofB], [ofA, ofB]],
  ["the one that is named", { config: ofB }, [ofA, ofB], [ofB]],
  ["none of its apps when the app is named", { app: "m:app", endpoints: "/" }, [ofA], [""]],
])("configuration files that are read: %s", async ([, raw, present, read]) => {
  expect(await filesRead(raw, present)).toEqual(read);
});

const texts: Readonly<Record<string, string>> = { "a.yml": "vus: 1", "b.yml": "vus: [", "c.yml": "oops: 1" };
const read = async (name: string) => parseConfigurationFile(name, "/repo", texts[name] ?? "");

test("files are read under their names, in their order", async () => {
  const all = await readAll(["a.yml", ""], read);
  expect(all.map(({ name, file }) => [name, file !== undefined])).toEqual([
    ["a.yml", true],
    ["", true],
  ]);
});

test("what is wrong in any of them is told at once", async () => {
  await expect(readAll(["b.yml", "a.yml", "c.yml"], read)).rejects.toMatchObject({
    problems: [expect.stringMatching(/^b\.yml:1:/), expect.stringMatching(/^c\.yml:1:1: oops/)],
  });
  const broken = () => Promise.reject(new TypeError("a fault of ours"));
  await expect(readAll(["a.yml"], broken)).rejects.toThrow("a fault of ours");
});

const ports = (readConfigurationFile: RequestPorts["readConfigurationFile"]): RequestPorts => ({
  files: { resolve: (path) => path, isFile: () => true, isFolder: () => true, findApps: () => [] },
  pullRequest: { kind: "none", reason: "" },
  unpackPlan: (text) => text,
  readConfigurationFile,
});
const noFile = ports(async () => undefined);
const unknown = "--nonsense is not an option of plan; `help plan` lists them";

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

test.for([
  ["nothing of the kind", { GITHUB_EVENT_NAME: "pull_request" }, undefined],
  [
    "a privileged event",
    { GITHUB_EVENT_NAME: "pull_request_target" },
    /event: pull_request_target would run a/,
  ],
  ["a token", { GITHUB_ACTIONS: "true", GITHUB_TOKEN: "x" }, /environment: GITHUB_TOKEN holds a token/],
] as const)("T1, T11: what measures is started with %s", ([, environment, message]) => {
  if (message === undefined) expect(() => refuseTokens(environment)).not.toThrow();
  else expect(() => refuseTokens(environment)).toThrow(message);
});
