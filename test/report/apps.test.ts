import { describe, expect, test } from "vitest";

import type { Comparison } from "../../src/compare/comparison.ts";
import { parseThreshold } from "../../src/config/threshold-parser.ts";
import { cellSchema } from "../../src/model/plan/cell.ts";
import type { Threshold } from "../../src/model/thresholds/threshold.ts";
import { againCommand } from "../../src/report/again.ts";
import { exitStatusOf } from "../../src/report/facts/outcome.ts";
import { figuresOf } from "../../src/report/figures/figures.ts";
import { cell, environment, failure } from "../fixtures/measurement.ts";
import { elementsOf, toHtml } from "../text/gfm.ts";
import { comparedAs, comparedOf, effect, row, versus } from "./compared.ts";
import {
  renderComment,
  renderCsv,
  renderHtml,
  renderJunit,
  renderSummary,
  renderTerminalTable,
} from "./forms.ts";

const marker = "<!-- marker -->";
const slower = versus({ verdict: { kind: "slower" }, effects: { throughput: effect(-0.098, 0.006) } });
const shop = (path: string, workers = 1) => cell({ app: "services/shop", path, workers });
const till = (path: string) => cell({ app: "till", path });

/** Two apps with an endpoint of one name; one slower, one failed. */
function monorepo(overrides: Partial<Comparison> = {}): Comparison {
  return comparedOf(
    [
      row({ cell: shop("/items"), headRate: 902, versus: slower }),
      row({ cell: shop("/items", 2) }),
      row({ cell: till("/items") }),
      row({
        cell: till("/receipts"),
        status: "failed",
        failure: failure({ reason: "no such table", logTail: "ERROR: receipt" }),
        arms: {},
        versus: undefined,
      }),
    ],
    overrides,
  );
}

function threshold(line: string, app?: string): Threshold {
  const parsed = parseThreshold(line);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return { ...(app !== undefined && { app }), ...parsed.threshold };
}

test("cells of different apps are different cells, and an unnamed app's keep their ids", () => {
  const ids = [cell({ path: "/items" }), shop("/items"), till("/items")].map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  expect(ids[0]).toMatch(/^get-items-w1-/);
  expect(ids[1]).toMatch(/^services-shop-get-items-w1-/);
  expect(cellSchema.safeParse(cell({ app: `${"x".repeat(59)}/` })).success).toBe(true);
});

test.for(["", "a b", "@team", "x\n## Approved", "<b>", "`x`", "x".repeat(61), "ü", "a|b"])(
  "no document may call an app %j",
  (app) => {
    expect(cellSchema.safeParse({ ...cell(), app }).success).toBe(false);
  },
);

describe("the comment on several apps", () => {
  const comment = renderComment(monorepo(), { marker, runUrl: "https://a.example/1" });

  test("has one headline over all, a section for each with its own, and one end", () => {
    expect(comment.split("\n").filter((line) => /^(?:<!--|#|`services|- \*\*)/.test(line))).toEqual([
      marker,
      "## 1 endpoint got slower (`services/shop: /items`, −9.8%); 1 could not be compared",
      expect.stringMatching(
        /^`services\/shop: \/items` \*\*is 9\.8% slower\*\* \(99% interval 9\.2 to 10\.4%, 1 worker\)\. /,
      ),
      "### `services/shop` – 1 endpoint got slower (`/items`, −9.8%)",
      "### `till` – 1 of 2 endpoints could not be compared",
      "- **failed** `/receipts`, 1 worker, while starting the app: no such table",
    ]);
    expect(comment.match(/Each change is the head/g)).toHaveLength(1);
    expect(comment.match(/<summary>Checks on the measurement<\/summary>\n\nEach change/g)).toHaveLength(1);
  });

  test("has the tables of today in each, without the app's name in them", () => {
    const [, ofShop = "", ofTill = ""] = comment.split("### ");
    expect(ofShop).toContain("| `/items` | 1 | **−9.8%** |");
    expect(ofShop).toContain("| `/items` | 2 | none (±");
    expect(ofShop).toContain("**How many workers?** `/items`:");
    expect(ofTill).toContain("| `/items` | 1 | none (±");
    expect(ofTill).toContain("ERROR: receipt");
    for (const section of [ofShop, ofTill]) expect(section).toContain("<summary>More figures</summary>");
    expect(comment).not.toContain("| App |");
  });

  test("is a heading and tables to GitHub", () => {
    const elements = elementsOf(toHtml(comment)).map((each) => each.split(" ")[0]);
    expect(elements.filter((each) => each === "h3")).toHaveLength(2);
  });

  test("names one app, too, and nobody where one has no name", () => {
    const named = comparedOf([row({ cell: till("/items") })]);
    expect(renderComment(named, { marker })).toContain("### `till` – No endpoint got slower");
    const mixed = comparedOf([row({ cell: till("/items") }), row({ cell: cell() })]);
    expect(renderComment(mixed, { marker })).not.toContain("###");
    expect(renderComment(mixed, { marker })).toContain("| App | Endpoint |");
  });

  test("has no sections for more apps than a plan of ours can have", () => {
    const rows = Array.from({ length: 21 }, (_, index) => row({ cell: cell({ app: `app-${index}` }) }));
    expect(renderComment(comparedOf(rows), { marker })).not.toContain("###");
    expect(renderComment(comparedOf(rows.slice(1)), { marker }).match(/^### /gm)).toHaveLength(20);
  });

  test("keeps what matters of all apps where not everything fits", () => {
    const made = row({ cell: cell() }); // summed up once
    const rows = ["a", "b", "c"].flatMap((app) =>
      Array.from({ length: 300 }, (_, index) => ({
        ...made,
        cell: cell({ app, path: `/endpoints/of/a/long/name/${index}` }),
        ...(index === 7 && { versus: slower }),
      })),
    );
    const text = renderComment(comparedOf(rows), { marker });
    expect(Buffer.byteLength(text)).toBeLessThan(65_536);
    expect(text.match(/\| \*\*−/g)).toHaveLength(3);
    expect(text).toMatch(/Omitted for length: .* measured cells.*\. The job summary has them\./);
    expect(text.indexOf("Omitted for length")).toBeGreaterThan(text.indexOf("### `c`"));
  });

  test("warns of several machines only where one app has them", () => {
    const on = (cpuModel: string) => ({ environment: environment({ cpuModel }) });
    const apart = [row({ cell: shop("/a"), ...on("X") }), row({ cell: till("/a"), ...on("Y") })];
    expect(renderComment(comparedOf(apart), { marker })).not.toContain("WARNING");
    const mixed = [...apart, row({ cell: till("/b"), ...on("Z") })];
    expect(renderComment(comparedOf(mixed), { marker })).toContain(
      "> - till: The cells were measured on 2 machines",
    );
  });

  test("has each app's environment in the job summary", () => {
    expect(renderSummary(monorepo()).match(/<summary>Environment<\/summary>/g)).toHaveLength(2);
  });
});

describe("thresholds", () => {
  const check = {
    failOn: "regression" as const,
    maxSlowdown: 0.5,
    thresholds: [threshold("http_reqs: rate>5000", "till"), threshold("overall: http_reqs: count>1")],
  };
  const comparison = monorepo({ check });

  test("are judged of their own app, and overall of each", () => {
    const judged = figuresOf(comparison).thresholds ?? [];
    expect(judged.map(({ app, endpoint, workers, state }) => [app, endpoint, workers, state])).toEqual([
      ["till", "/items", 1, "broken"],
      ["till", "/receipts", 1, "unknown"],
      ["services/shop", null, 1, "kept"],
      ["services/shop", null, 2, "kept"],
      ["till", null, 1, "unknown"],
    ]);
  });

  test("stand in the section of their app", () => {
    const [head = "", ofShop = "", ofTill = ""] = renderComment(comparison, { marker }).split("### ");
    expect(head).toContain("; 1 threshold not met");
    expect(ofShop).toContain("**Thresholds:** 2 met.");
    expect(ofTill).toContain("**Thresholds:** 1 not met, 2 not judged.");
    expect(ofTill).toContain("| `http_reqs: rate>5000` | `/items` | 1 |");
  });

  test("break the check of the whole report", () => {
    const rows = comparison.rows.filter(({ status }) => status === "measured");
    expect(exitStatusOf(comparedAs(comparison, { rows }))).toBe(1);
    const others = rows.filter(({ cell: { app } }) => app !== "till");
    expect(exitStatusOf(comparedAs(comparison, { rows: others }))).toBe(0);
  });
});

test("every other form names the app", () => {
  const check = { ...monorepo().check, thresholds: [threshold("overall: avg>0")] };
  const comparison = monorepo({ check });
  const terminal = renderTerminalTable(comparison, { width: undefined, colour: false });
  expect(terminal).toMatch(/App +Endpoint +Workers/);
  expect(terminal).toMatch(/till +\/items +1/);
  expect(terminal).toContain("Threshold met: services/shop: all endpoints, 2 workers");
  const page = renderHtml(comparison);
  expect(page).toContain('<th scope="col">App</th>');
  expect(renderJunit(comparison)).toContain('classname="till: /items"');
  const [titles = "", first = ""] = renderCsv(comparison).split("\r\n");
  expect([titles.split(",").at(-1), first.split(",").at(-1)]).toEqual(["app", "services/shop"]);
  expect(figuresOf(comparison).cells.map(({ app, endpoint }) => `${app} ${endpoint}`)).toContain(
    "till /items",
  );
  expect(againCommand({ cell: till("/items") }, comparison)).toContain(
    ` again ${till("/items").id} --name till --`,
  );
});
