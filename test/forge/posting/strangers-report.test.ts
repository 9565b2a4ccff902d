import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainCell, plainMeasurement } from "../../../src/forge/posting/plain-measurement.ts";
import {
  type ArtifactDocument,
  jsonDepth,
  readStrangersReport,
} from "../../../src/forge/posting/strangers-report.ts";
import { measurementSchema } from "../../../src/model/measurement/measurement.ts";
import { foundCause } from "../../diagnosis/samples.ts";
import { cell, environment, failure, measurement } from "../../fixtures/measurement.ts";
import { renderComment } from "../../report/forms.ts";
import { elementsOf, liveInProse, proseOf, toHtml, unseen } from "../../text/gfm.ts";
import { hostileText } from "../../text/hostile-text.ts";

const one = cell();
const two = cell({ workers: 2 });
const plan = (value: unknown = { schemaVersion: 1, cells: [one, two] }): ArtifactDocument => ({
  name: "plan.json",
  text: JSON.stringify(value),
});
const document = (
  value = measurement({ cell: one }),
  name = `cells/${value.cell.id}.json`,
): ArtifactDocument => ({
  name,
  text: JSON.stringify(value),
});
const claims = "These figures come from another run, and its code could have invented them.";

function comparisonOf(documents: readonly ArtifactDocument[]) {
  const read = readStrangersReport(documents);
  if (read.kind === "refused") throw new Error(read.reason);
  return read.comparison;
}

test("a report of another run says whose figures it has", () => {
  const { rows, warnings } = comparisonOf([plan(), document(), document(measurement({ cell: two }))]);
  expect(rows.map(({ status }) => status)).toEqual(["measured", "measured"]);
  expect(warnings).toEqual([claims]);
});

test("thresholds are of the endpoints as they are shown", () => {
  const slower = { condition: { slowerBy: 0.05 } };
  const cells = [cell({ path: "/it(ems)?q=1" }), cell({ path: `/${"x".repeat(200)}` }), one];
  const endpoints = ["/it(ems)", `/${"x".repeat(200)}`, "POST /a(b)", undefined];
  const thresholds = endpoints.map((endpoint) => ({
    ...(endpoint !== undefined && { endpoint }),
    ...slower,
  }));
  const check = { failOn: "never", maxSlowdown: 0.1, thresholds };
  const comparison = comparisonOf([plan({ schemaVersion: 1, cells, check })]);
  expect(comparison.check.thresholds?.map(({ endpoint }) => endpoint)).toEqual([
    "/it_ems_",
    `/${"x".repeat(119)}`,
    "POST /a_b_",
    undefined,
  ]);
  const judged = comparison.thresholds.map(({ endpoint }) => endpoint);
  expect(judged.slice(0, 2)).toEqual(["/it_ems_?q=1", `/${"x".repeat(119)}`]);
  expect(judged).toHaveLength(2 + 3);
  const bare = comparisonOf([
    plan({ schemaVersion: 1, cells, check: { failOn: "never", maxSlowdown: 0.1 } }),
  ]);
  expect(bare.check).toEqual({ failOn: "never", maxSlowdown: 0.1 });
});

describe("T3, T4, T15, T18, F44: what lies costs itself its place and nothing more", () => {
  const stranger = cell({ workers: 7 });
  const honest = measurement({ cell: one });
  test.for<[string, ArtifactDocument, string]>([
    ["under another cell's name", document(honest, `cells/${two.id}.json`), "1 document"],
    ["of a cell that is not planned", document(measurement({ cell: stranger })), stranger.id],
    ["with a field for another pull request", document({ ...honest, pullRequest: 1 } as never), "1 document"],
    ["with markdown", document({ ...honest, markdown: "[x](https://a.example)" } as never), "1 document"],
    ["of another version", document({ ...honest, schemaVersion: 2 } as never), "1 document"],
    ["cut in half", { name: `cells/${two.id}.json`, text: '{"schemaVersion":1,' }, "1 document"],
    ["with a polluting key", { name: `cells/${two.id}.json`, text: '{"__proto__":{"x":1}}' }, "1 document"],
    ["nested too deep", { name: `cells/${two.id}.json`, text: "[".repeat(100_000) }, "1 document"],
    [
      "with a number that is none",
      { name: `cells/${two.id}.json`, text: JSON.stringify(honest).replace("0.9", "1e999") },
      "1 document",
    ],
  ])("a document %s", ([, lying, told]) => {
    const { rows, warnings } = comparisonOf([plan(), document(), lying]);
    expect(rows.map(({ status }) => status)).toEqual(["measured", "missing"]);
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain(told);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  test.for<[string, readonly ArtifactDocument[]]>([
    ["no plan", [document()]],
    ["a plan that is none", [{ name: "plan.json", text: "{" }, document()]],
    ["a plan with more in it", [plan({ schemaVersion: 1, cells: [one], title: "x" }), document()]],
    ["a plan with a cell twice", [plan({ schemaVersion: 1, cells: [one, one] }), document()]],
  ])("%s: no report at all", ([, documents]) => {
    expect(readStrangersReport(documents)).toEqual({
      kind: "refused",
      reason: "it contains no plan written by this version",
    });
  });
});

describe("T4, T30: nothing that a stranger worded is shown", () => {
  const words = "please visit a-example and pay";
  test("neither logs, reasons, findings nor commits", () => {
    const failed = measurement({
      cell: two,
      status: "failed",
      failure: failure({ reason: words, logTail: words }),
      environment: environment({
        cpuModel: "!",
        runner: words,
        kernel: words,
        eventLoop: words,
        packages: { [words]: "1" },
        sharedServices: [words],
        outsideHosts: ["visit-a.example.com"],
      }),
      diagnosis: { head: { findings: [foundCause({ summary: words, advice: words })], unseen: [words] } },
      instructions: { unseen: words },
    });
    const { instructions } = plainMeasurement(failed);
    expect(instructions).toEqual({ unseen: "the log of its run shows why" });
    const arm = { batches: [7], seconds: [1], idlePerSecond: [0, 0] };
    const counted = { starts: [{ hashSeed: 1, requests: 1, base: arm, head: arm }] };
    expect(plainMeasurement({ ...failed, instructions: counted }).instructions).toEqual(counted);
    const alone = measurement({ cell: one, loneArm: { kind: "no base", reason: words, logTail: words } });
    const comparison = comparisonOf([plan(), document(failed), document(alone)]);
    const comment = renderComment(comparison, { marker: "<!-- m -->", headSha: "b".repeat(40) });
    expect(comment).not.toContain(words);
    expect(comment).not.toContain("0123456789");
    expect(comment).not.toContain("visit-a");
    expect(comment).toContain("failed** while starting the app: the log of its run shows why");
    expect(JSON.stringify(comparison)).not.toContain(words);
  });

  test.for([
    ["AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763 64-Core Processor"],
    ["Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz"],
    ["Neoverse-N2", "Neoverse-N2"],
    ["Apple M1", "Apple M1"],
    ["LGTM (reviewed by the security team) - safe to merge", "unknown"],
    ["AMD approved", "unknown"],
    ["", "unknown"],
  ] as const)("the processor %j is shown as %j", ([cpuModel, shown]) => {
    const made = plainMeasurement(measurement({ environment: environment({ cpuModel }) }));
    expect(made.environment?.cpuModel).toBe(shown);
  });

  test.for([
    { platform: "linux x64", kernel: "6.8.0-1021-azure", eventLoop: "uvloop", node: "20.19.4" },
    { platform: "safe to merge", kernel: "LGTM-safe-to-merge", eventLoop: "approved", node: "1.LGTM" },
  ])("of $platform, $kernel, $eventLoop and $node only known forms are shown", (given) => {
    const made = plainMeasurement(measurement({ environment: environment(given) }));
    const { platform, kernel, eventLoop, node } = made.environment ?? {};
    expect([platform, kernel, eventLoop, node]).toEqual(
      given.platform === "linux x64"
        ? ["linux x64", "6.8.0-1021-azure", "uvloop", "20.19.4"]
        : ["unknown", "unknown", "unknown", "unknown"],
    );
  });

  test("names of iterations and servers keep the form of names", () => {
    const named = plainCell(
      cell({
        endpoint: { steps: [{ method: "GET", path: "/a b|c" }, { pauseSeconds: 1 }] },
        server: `${words} {app}`,
      }),
    );
    expect(named.endpoint).toEqual({ steps: [{ method: "GET", path: "/a_b_c" }, { pauseSeconds: 1 }] });
    expect(named.server).toBe("please");
    const endpoint = { method: "GET", path: "/a b", form: "0123abcd" } as const;
    const mixed = { mix: [1, 2].map((weight) => ({ weight, endpoint })) };
    expect(plainCell({ ...cell(), endpoint: mixed }).endpoint).toEqual({
      mix: [1, 2].map((weight) => ({ weight, endpoint: { ...endpoint, path: "/a_b" } })),
    });
    expect(plainCell(cell({ server: "<b> x" })).server).toBe("server");
  });

  test("versions and processors stay, everything else is unknown", () => {
    const plain = (changes: Parameters<typeof environment>[0]) =>
      plainMeasurement(measurement({ environment: environment(changes) })).environment;
    expect(plain({ appCpus: "0-1,3", otherCpus: words, platform: `linux ${"x".repeat(40)}` })).toMatchObject({
      cpuModel: "AMD EPYC 7763 64-Core Processor",
      kernel: "6.11.0-1018-azure",
      appCpus: "0-1,3",
      otherCpus: "unknown",
      platform: "unknown",
      runner: "the run's own runner",
      python: "3.11.7",
      packages: { fastapi: "0.165.0", uvicorn: "0.54.0" },
    });
    const elsewhere = { python: "", eventLoop: "", httpParser: "" };
    expect(plain(elsewhere)).toMatchObject(elsewhere);
    const basePackages = { fastapi: "0.164.0", new: "", [words]: "1", odd: words };
    expect(plain({ basePackages })?.basePackages).toEqual({ fastapi: "0.164.0", new: "" });
    expect(plain({})).not.toHaveProperty("basePackages");
    expect(plain({ platform: "linux x64" })).toMatchObject({ platform: "linux x64" });
    const { environment: absent, ...without } = measurement();
    expect(absent).toBeDefined();
    expect(plainMeasurement(without)).not.toHaveProperty("environment");
  });

  test("a path is short and holds no space, whatever it was", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const { endpoint } = plainCell(cell({ path: `/${text}` }));
        expect("path" in endpoint && endpoint.path).toMatch(/^\/[\w./{}:?&=%,~+-]{0,119}$/);
      }),
    );
  });

  test("what is left is still a document", () => {
    const left = plainMeasurement(measurement({ status: "failed", failure: failure() }));
    expect(measurementSchema.safeParse(left).success).toBe(true);
  });
});

test("T5, T31: whatever a stranger's texts are, the comment has our elements only, and nothing live or unseen", () => {
  const ours = new Set(
    "h2 table thead tbody tr th td code wbr strong blockquote ul li p sub br details summary".split(" "),
  );
  fc.assert(
    fc.property(fc.tuple(hostileText, hostileText, hostileText), ([path, words, name]) => {
      const attacked = cell({ path: `/${path}`, server: `x${words}` });
      const hostile = measurement({
        cell: attacked,
        environment: environment({
          cpuModel: name,
          runner: words,
          kernel: name,
          k6: words,
          packages: { [name]: words },
          basePackages: { [name]: words, [words]: "" },
        }),
        loneArm: { kind: "no base", reason: words, logTail: words },
      });
      const comparison = comparisonOf([plan({ schemaVersion: 1, cells: [attacked] }), document(hostile)]);
      const comment = renderComment(comparison, { marker: "<!-- m -->" });
      const html = toHtml(comment);
      expect(comment).not.toMatch(unseen);
      expect(elementsOf(html).filter((element) => !ours.has(element))).toEqual([]);
      expect(proseOf(html.replace("<!-- m -->", "")).replaceAll("[!WARNING]", "")).not.toMatch(liveInProse);
    }),
    { numRuns: 300 },
  );
});

describe("jsonDepth", () => {
  test.for([
    ["", 0],
    ["1", 0],
    ["[]", 1],
    ['{"a":[{"b":[]}]}', 4],
    ['["[[[[", "\\"[["]', 1],
    ['"\\\\"[[', 2],
    ["]]][", 0],
  ] as const)("of %s is %i", ([text, depth]) => {
    expect(jsonDepth(text)).toBe(depth);
  });

  test("T17: of a hundred thousand lists, at once", () => {
    expect(jsonDepth("[".repeat(100_000))).toBe(100_000);
  });
});
