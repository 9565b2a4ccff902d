import { describe, expect, test } from "vitest";

import { packageIndexSecrets, packageIndexVariables } from "../../src/repository/package-index.ts";

const read = (text: string | undefined) => packageIndexVariables({ LOADTEST_PACKAGE_INDEX: text });

describe("the variables of a private package index", () => {
  test.for<readonly [what: string, text: string | undefined, variables: Readonly<Record<string, string>>]>([
    ["not given", undefined, {}],
    ["empty", "", {}],
    ["one", "PIP_INDEX_URL=https://a/simple", { PIP_INDEX_URL: "https://a/simple" }],
    [
      "several, with empty lines and those of Windows",
      "UV_INDEX_ACME_USERNAME=ci\r\n\nUV_INDEX_ACME_PASSWORD=a=b\r\n",
      { UV_INDEX_ACME_USERNAME: "ci", UV_INDEX_ACME_PASSWORD: "a=b" },
    ],
    ["of Poetry", "POETRY_HTTP_BASIC_ACME_PASSWORD=x", { POETRY_HTTP_BASIC_ACME_PASSWORD: "x" }],
  ])("%s", ([, text, variables]) => {
    expect(read(text)).toEqual(variables);
  });

  test.for([
    ["an address alone", "https://user:secret@index/simple", 1],
    ["another program's", "PIP_INDEX_URL=https://a\nPATH=/tmp/secret", 2],
    ["one that changes what a program loads", "LD_PRELOAD=/tmp/secret", 1],
  ] as const)("T11: are refused by line, without their text: %s", ([, text, line]) => {
    expect(() => read(text)).toThrow(
      `LOADTEST_PACKAGE_INDEX: line ${line} does not set a variable of pip, uv, Poetry or PDM`,
    );
    expect(() => read(text)).not.toThrow(/secret/);
  });

  test("are hidden whole, and their passwords alone", () => {
    expect(
      packageIndexSecrets({ PIP_INDEX_URL: "https://ci:hunter2@index/simple", UV_INDEX_A_USERNAME: "me" }),
    ).toEqual(["https://ci:hunter2@index/simple", "hunter2"]);
  });
});
