import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { addedCounts, libraryName, readCallgrind } from "../../../src/model/measurement/instructions.ts";

const head = "# callgrind format\nversion: 1\npid: 30787\ncmd:  uvicorn main:app\npart: 2\n\nevents: Ir\n";
const countOf = (text: string) => readCallgrind(text)?.instructions;

test.each([
  [`${head}summary: 8848640\n\nob=(14) libm.so.6\nfn=(876) round\n30 4\n\ntotals: 8848640\n`, 8_848_640],
  [`${head}summary: 0\n`, 0],
  [`${head}summary: 12 7\n`, undefined],
  [`${head}summary: -1\n`, undefined],
  [`${head}summary: 1234567890123456\n`, undefined],
  [head, undefined],
  ["summary: 7\n", undefined],
  ["", undefined],
])("%j", (text, count) => {
  expect(countOf(text)).toBe(count);
});

test("any text has a count or none, and a count that was written is read", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, count) => {
      const seen = countOf(text);
      expect(seen === undefined || Number.isSafeInteger(seen)).toBe(true);
      const body = text.replaceAll("summary", "");
      expect(countOf(`${head}summary: ${count}\n${body}`)).toBe(count);
    }),
  );
});

describe("libraries", () => {
  test("have their own costs, not those of what they call, and a number that either kind of line names", () => {
    const lines = [
      ...["summary: 100", "ob=(2) /usr/lib/libc.so.6", "fl=(1) ???", "fn=(9) malloc", "0 12", "+3 5", "* 1"],
      ...["cob=(6) /opt/lib/libpython3.11.so.1.0", "cfn=(7) dict", "calls=8 569 ", "* 72", "-2 3"],
      ...["", "ob=(6)", "fn=(7)", "4 60", "ob=(8)", "1 19", "jump=3 4", "totals: 100"],
    ];
    const counts = readCallgrind(`${head}${lines.join("\n")}`);
    expect([...(counts?.libraries ?? [])]).toEqual([
      ["libc", 21],
      ["Python", 60],
      ["other", 19],
    ]);
  });

  const part = fc.record({
    object: fc.nat(5),
    costs: fc.array(fc.nat(1_000_000), { maxLength: 5 }),
    calls: fc.array(fc.nat(1_000_000), { maxLength: 3 }),
  });

  test("have costs that sum up to those of the file, however it is cut into parts", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const total = parts.flatMap(({ costs }) => costs).reduce((sum, cost) => sum + cost, 0);
        const body = parts.map(({ object, costs, calls }) =>
          [
            `ob=(${object}) /lib/lib${object}.so`,
            ...costs.map((cost, at) => `${at % 2 === 0 ? "+" : ""}${at} ${cost}`),
            ...calls.flatMap((cost) => ["calls=1 0 ", `0 ${cost}`]),
          ].join("\n"),
        );
        const libraries = readCallgrind(`${head}summary: ${total}\n${body.join("\n")}`)?.libraries;
        expect([...(libraries?.values() ?? [])].reduce((sum, cost) => sum + cost, 0)).toBe(total);
      }),
    );
  });

  test.each([
    ["/usr/lib/x86_64-linux-gnu/libc.so.6", "libc"],
    ["/usr/lib/libm-2.31.so", "libm-2"],
    ["/root/.pyenv/versions/3.11.7/lib/libpython3.11.so.1.0", "Python"],
    ["/usr/bin/python3.12", "Python"],
    ["/usr/lib/python3.11/lib-dynload/_json.cpython-311-x86_64-linux-gnu.so", "_json"],
    [
      "/v/lib/python3.11/site-packages/pydantic_core/_pydantic_core.cpython-311-x86_64-linux-gnu.so",
      "pydantic_core",
    ],
    ["/v/lib/python3.11/site-packages/uvloop/loop.cpython-311-x86_64-linux-gnu.so", "uvloop"],
    ["/v/lib/python3.11/site-packages/cryptography/hazmat/bindings/_rust.abi3.so", "cryptography"],
    ["/v/lib/python3.11/site-packages/psycopg_binary.libs/libpq-9b38f5e3.so.5.17", "psycopg_binary"],
    ["/usr/lib/python3/dist-packages/_cffi_backend.cpython-311-x86_64-linux-gnu.so", "_cffi_backend"],
    ["/lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64"],
    ["???", "other"],
    ["/tmp/**bold**.so", "other"],
    ["/tmp/", "other"],
  ])("%s is %s", (path, name) => {
    expect(libraryName(path)).toBe(name);
  });

  test("of any path have a name without anything that a report could take for its own", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (path) => {
        expect(libraryName(path)).toMatch(/^\w[\w+-]{0,49}$/);
      }),
    );
  });

  test("of several processes add up", () => {
    const one = {
      instructions: 5,
      libraries: new Map([
        ["libc", 2],
        ["Python", 3],
      ]),
    };
    const other = { instructions: 8, libraries: new Map([["libc", 8]]) };
    const { instructions, libraries } = addedCounts([one, other]);
    expect([instructions, [...libraries]]).toEqual([
      13,
      [
        ["libc", 10],
        ["Python", 3],
      ],
    ]);
  });
});
