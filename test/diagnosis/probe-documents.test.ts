import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { blindReason, parseProbeDocuments } from "../../src/diagnosis/probe-documents.ts";
import { endpoint, worker } from "./samples.ts";

const file = (value: unknown) => ({ name: "worker-7.json", text: JSON.stringify(value) });

describe("parseProbeDocuments", () => {
  test("reads what the probe wrote during the window", () => {
    const files = [file(worker()), file(worker({ window: "before" }))];
    expect(parseProbeDocuments(files, "load")).toEqual({ documents: [worker()], warnings: [] });
  });

  const bad = (where: string) => [
    `Ignored worker-7.json: it was not written by this version of the probe (${where}).`,
  ];

  test.for<{ name: string; text: string; warnings: string[] }>([
    { name: "half a document", text: '{"schemaVersion":1', warnings: bad("document") },
    {
      name: "another version",
      text: file({ ...worker(), schemaVersion: 2 }).text,
      warnings: bad("schemaVersion"),
    },
    {
      name: "a key nobody knows",
      text: file({ ...worker(), markdown: "x" }).text,
      warnings: bad("document"),
    },
    { name: "a negative time", text: file(worker({ cpuMs: -1 })).text, warnings: bad("cpuMs") },
    { name: "a number beyond reason", text: file(worker({ cpuMs: 1e300 })).text, warnings: bad("cpuMs") },
    { name: "half a request", text: file(worker({ connections: 0.5 })).text, warnings: bad("connections") },
    {
      name: "a name without end",
      text: file(worker({ endpoints: [endpoint({ route: "x".repeat(301) })] })).text,
      warnings: bad("endpoints.0.route"),
    },
    {
      name: "endpoints without end",
      text: file(worker({ endpoints: Array.from({ length: 102 }, () => endpoint()) })).text,
      warnings: bad("endpoints"),
    },
    {
      name: "a part nobody knows",
      text: file(worker()).text.replace('"elsewhere"', '"nowhere"'),
      warnings: bad("endpoints.0.partsMs.elsewhere"),
    },
    {
      name: "a text without end",
      text: " ".repeat(4_000_001),
      warnings: ["Ignored worker-7.json: it is longer than 4000000 characters."],
    },
  ])("leaves out $name", ({ text, warnings }) => {
    const files = [{ name: "worker-7.json", text }, file(worker())];
    expect(parseProbeDocuments(files, "load")).toEqual({ documents: [worker()], warnings });
  });

  test("leaves out files beyond number", () => {
    const files = Array.from({ length: 1_002 }, () => file(worker({ window: "before" })));
    expect(parseProbeDocuments(files, "load").warnings).toEqual(["Ignored 2 of the probe's files."]);
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseProbeDocuments([{ name: "x", text }], "load").documents).toEqual([]);
      }),
    );
  });
});

describe("no process wrote a document, because", () => {
  const note = (more: object = {}) => ({ ...startNote, ...more });
  const startNote = { schemaVersion: 1, process: 7, python: "3.9.2", servers: [], problems: [] };
  const noteFile = (value: unknown) => ({ name: "start-7.json", text: JSON.stringify(value) });

  test.for<[what: string, files: readonly { name: string; text: string }[], reason: string]>([
    [
      "nothing of ours ran",
      [file(worker({ window: "before" }))],
      "the server never loaded the probe: it does not run Python, or Python ignores environment variables (`-I`, `-E`)",
    ],
    [
      "it is another framework's app on another server",
      [noteFile(note())],
      "no server process imported Starlette, uvicorn or gunicorn, which the probe needs to observe an app",
    ],
    [
      "something is too old, which two processes say",
      [1, 2].map((process) =>
        noteFile(note({ process, servers: ["uvicorn"], problems: ["uvicorn 0.9 is too old to be watched"] })),
      ),
      "uvicorn 0.9 is too old to be watched",
    ],
    [
      "it could not write",
      [noteFile(note({ servers: ["gunicorn", "uvicorn"] }))],
      "gunicorn and uvicorn were imported, but no process that serves the app recorded anything",
    ],
    [
      "it was no worker; what is not ours says nothing",
      [noteFile(note({ servers: ["uvicorn"] })), noteFile({ problems: ["x"] }), noteFile("x")],
      "uvicorn was imported, but no process that serves the app recorded anything",
    ],
    [
      "a note has no end",
      [{ name: "start-7.json", text: `${" ".repeat(4_000_000)}${JSON.stringify(note())}` }],
      "the server never loaded the probe: it does not run Python, or Python ignores environment variables (`-I`, `-E`)",
    ],
  ])("%s", ([, files, reason]) => {
    expect(blindReason(files)).toBe(reason);
    expect(parseProbeDocuments(files, "load")).toEqual({ documents: [], warnings: [] });
  });
});
