import { expect, test } from "vitest";

import { flameOf } from "../../../src/diagnosis/functions/flame.ts";
import { type Flame, flameSchema, mostNodes } from "../../../src/model/findings/diagnosis.ts";
import { foreign, frame, type Sampled, stacks, turns } from "./samples.ts";

const quote = frame();
const rows = frame({ file: "app/rows.py", function: "rows" });
const dump = foreign("pydantic", "dump");
const app = foreign("starlette", "Router.app", { isApp: true });
const server = foreign("uvicorn", "run_asgi");

/** A stack, the innermost first. */
const stack = (microseconds: number, ...frames: readonly (typeof quote)[]): Sampled => ({
  stack: frames.map((each) => [each, each.file === null ? 0 : 12] as const),
  microseconds,
});
const arm = (...sampled: readonly Sampled[]) => ({ documents: [stacks(sampled)], turns });

/** `depth name head base`, with a digit behind the point. */
function drawn(flame: Flame | undefined): readonly string[] {
  expect(flameSchema.safeParse(flame).success).toBe(true);
  return (flame?.nodes ?? []).map(([depth, name, head, base]) =>
    [depth, flame?.names[name], head.toFixed(1), base?.toFixed(1) ?? "none"].join(" "),
  );
}

test("functions stand on those that called them, from the app on, the dearest first", () => {
  const flame = flameOf(
    arm(
      stack(1_000, dump, rows, app, server),
      stack(2_000, quote, rows, app, server),
      stack(500, rows, app, server),
    ),
  );
  expect(drawn(flame)).toEqual([
    "0 request 3.5 none",
    "1 starlette:Router.app 3.5 none",
    "2 app/rows.py:rows 3.5 none",
    "3 app/price.py:quote 2.0 none",
    "3 pydantic:dump 1.0 none",
  ]);
});

test("both arms have their times, also in functions that only one of them has", () => {
  const flame = flameOf(
    arm(stack(2_000, quote, app)),
    arm(stack(1_500, quote, app), stack(1_000, dump, app)),
  );
  expect(drawn(flame)).toEqual([
    "0 request 2.0 2.5",
    "1 starlette:Router.app 2.0 2.5",
    "2 app/price.py:quote 2.0 1.5",
    "2 pydantic:dump 0.0 1.0",
  ]);
});

test("work in a thread begins at the user's outermost function, and all else is the server's", () => {
  const thread = foreign("python", "Thread.run");
  const flame = flameOf(arm(stack(2_000, dump, quote, rows, thread), stack(1_000, server)));
  expect(drawn(flame)).toEqual([
    "0 request 3.0 none",
    "1 app/rows.py:rows 2.0 none",
    "2 app/price.py:quote 2.0 none",
    "3 pydantic:dump 2.0 none",
    "1 (event loop and server) 1.0 none",
  ]);
});

test("what cannot be seen is left out, and of many functions more", () => {
  const tiny = flameOf(arm(stack(10_000, quote, app), stack(5, dump, app)));
  expect(drawn(tiny).some((each) => each.includes("dump"))).toBe(false);
  const many = Array.from({ length: 400 }, (_, index) =>
    stack(1_000, ...Array.from({ length: 5 }, (__, at) => foreign("p", `f${index}x${at}`)), app),
  );
  const flame = flameOf(arm(stack(300_000, quote, app), ...many));
  expect(flame?.nodes.length).toBeLessThan(mostNodes);
  expect(drawn(flame)).toContain("2 app/price.py:quote 300.6 none");
});

test("of more functions than a page has room for, the smaller ones are left out", () => {
  // Each of the 400 takes a quarter of a percent: enough by itself, but with those below it too many in all.
  const many = Array.from({ length: 400 }, (_, index) =>
    stack(1_000, ...Array.from({ length: 5 }, (__, at) => foreign("p", `f${index}x${at}`)), app),
  );
  const flame = flameOf(arm(...many));
  expect(drawn(flame)).toEqual(["0 request 400.8 none", "1 starlette:Router.app 400.8 none"]);
});

test("samples outside of the turns do not count, and without any there is no graph", () => {
  const [first] = turns;
  if (first === undefined) throw new Error("there are turns");
  const { documents } = arm(stack(1_000, quote, app));
  expect(drawn(flameOf({ documents, turns: [first] }))[0]).toBe("0 request 1.0 none");
  expect(flameOf({ documents, turns: [] })).toBeUndefined();
  expect(flameOf({ documents: [], turns })).toBeUndefined();
});

test("samples stand for no more than the process has used", () => {
  const { documents } = arm(stack(2_000, quote, app));
  const waited = documents.map((document) => ({
    ...document,
    samples: document.samples.map(([when, number, told]): [number, number, number, number] => [
      ...([when, number, told] as const),
      told / 2,
    ]),
  }));
  expect(drawn(flameOf({ documents: waited, turns }))[0]).toBe("0 request 1.0 none");
});
