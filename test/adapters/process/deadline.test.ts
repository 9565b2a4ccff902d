import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";

import { startDeadline, TimeOver, untilAborted, within } from "../../../src/adapters/process/deadline.ts";
import { collectingGarbage } from "../../collections.ts";

const never = () => new Promise<never>(() => undefined);

test("a limit that is joined with a signal fires, whatever is collected meanwhile", async () => {
  using _ = collectingGarbage();
  const cancel = new AbortController();
  // Nobody but the wait itself holds what these are made of.
  const limits = Array.from({ length: 20 }, () => within({ ms: 200, signal: cancel.signal }, never));
  const heard = Array.from({ length: 20 }, async () => {
    using deadline = startDeadline({ ms: 200, signal: cancel.signal });
    await sleep(5_000, undefined, { signal: deadline.signal, ref: false }).catch(() => undefined);
    return deadline.isOver;
  });
  const ended = await Promise.race([
    Promise.allSettled([...limits, ...heard]),
    sleep(3_000, [], { ref: false }),
  ]);
  expect(ended).toHaveLength(40);
  for (const each of ended.slice(0, 20))
    expect(each).toMatchObject({ status: "rejected", reason: new TimeOver(0.2) });
  expect(ended.slice(20)).toEqual(heard.map(() => ({ status: "fulfilled", value: true })));
});

test("who cancels is told by the reason, before or meanwhile, and after that it is not the time", async () => {
  const reason = new Error("cancelled by the user");
  await expect(within({ ms: 5_000, signal: AbortSignal.abort(reason) }, never)).rejects.toBe(reason);
  const cancel = new AbortController();
  using deadline = startDeadline({ ms: 50, signal: cancel.signal });
  const waiting = untilAborted(deadline.signal, never());
  cancel.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await sleep(100);
  expect(deadline.isOver).toBe(false);
});

test("what is done in time is its result, and its own error its error", async () => {
  await expect(within({ ms: 5_000 }, async () => "done")).resolves.toBe("done");
  await expect(within({}, () => Promise.reject(new Error("its own")))).rejects.toThrow("its own");
  using deadline = startDeadline({});
  deadline.abort();
  expect([deadline.signal.aborted, deadline.isOver]).toEqual([true, false]);
});
