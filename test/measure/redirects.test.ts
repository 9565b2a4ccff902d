import { expect, test } from "vitest";

import { noteRedirects, redirectsOf } from "../../src/measure/notices.ts";
import { cell } from "../fixtures/measurement.ts";

test("a cell's redirects are kept until its document is written, and no more than twenty", () => {
  const [met, none] = [cell({ path: "/a" }), cell({ path: "/b" })];
  const found = Array.from({ length: 21 }, (_, index) => ({ request: `GET /${index}`, head: "307 to /" }));
  noteRedirects(met, found);
  noteRedirects(none, []);
  expect(redirectsOf(met)).toEqual(found.slice(0, 20));
  expect(redirectsOf(none)).toBeUndefined();
});
