import { expect, test, vi } from "vitest";

import { cancellation } from "../../../src/adapters/process/run-lifetime.ts";

test("a cancellation that is stuck ends the program all the same, with its own status", async () => {
  const ends: number[] = [];
  const cancel = cancellation(50, (status) => void ends.push(status));
  process.emit("SIGTERM");
  process.emit("SIGINT"); // comes second, and changes nothing
  expect(cancel.signal.aborted).toBe(true);
  expect(cancel.status()).toBe(143);
  await vi.waitUntil(() => ends.length > 0, 20_000);
  expect(ends).toEqual([143]);
  cancel.forget();
});

test("many may listen to it at once, without a warning of Node's", async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error) => void warnings.push(warning);
  process.on("warning", hear);
  const cancel = cancellation();
  for (let count = 0; count < 30; count += 1) cancel.signal.addEventListener("abort", () => undefined);
  await new Promise((resolve) => setImmediate(resolve)); // Node warns at the end of the turn
  cancel.forget();
  process.off("warning", hear);
  expect(warnings).toEqual([]);
});
