import { expect, test } from "vitest";

import { readRequest } from "../../src/commands/request.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import type { RawInputs } from "../../src/config/inputs.ts";

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
