import { expect, test, vi } from "vitest";

import { cancellation } from "../../../src/adapters/process/cancellation.ts";

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
