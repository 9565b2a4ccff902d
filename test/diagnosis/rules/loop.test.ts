import { describe, expect, test } from "vitest";
import { gatherEvidence, type LoadFacts } from "../../../src/diagnosis/evidence.ts";
import { findCauses } from "../../../src/diagnosis/findings.ts";
import type { Finding } from "../../../src/model/findings/finding.ts";
import type { EndpointReport, ProbeDocument } from "../../../src/model/findings/probe-document.ts";
import { amount, endpoint, line, load, saying, worker } from "../samples.ts";

interface Case {
  readonly name: string;
  readonly worker: ProbeDocument;
  readonly load: Partial<LoadFacts>;
  /** Cause, endpoint and line. */
  readonly found: readonly string[];
}

function find({ worker: one, load: changes }: Case): readonly Finding[] {
  const evidence = gatherEvidence([one], load(changes));
  return evidence === undefined ? [] : findCauses(evidence);
}

const words = ({ cause, endpoint: name, place }: Finding) => [cause, name, place?.line].join(" ").trim();

type LoopLine = EndpointReport["onLoop"][number];
const emit = { file: "app/log.py", line: 9, function: "SlowHandler.emit", code: "time.sleep(0.015)" };
const isBlocked: LoopLine = { place: emit, totalMs: 9_600, cpuMs: 50 };
/** 15.5 ms of the loop in each of 64 requests a second, 0.6 ms of them at work. */
const blocking = (onLoop: readonly LoopLine[], changes: Partial<ProbeDocument> = {}) =>
  worker({
    endpoints: [endpoint({ requests: 640, partsMs: { total: 79_000 }, onLoop: [...onLoop] })],
    ...{ loopCpuMs: 400, cpuMs: 500, ...changes },
  });
const asked = { requests: 640, latencyMeanMs: 125 };
/** 9.2 ms of work in each of 108 requests a second. */
const working = (onLoop: readonly LoopLine[], changes: Partial<ProbeDocument> = {}) =>
  worker({
    endpoints: [endpoint({ requests: 1_080, partsMs: { total: 79_000 }, onLoop: [...onLoop] })],
    ...{ loopCpuMs: 9_950, cpuMs: 10_000, ...changes },
  });
const worked = { requests: 1_080, latencyMeanMs: 74 };
const isWork: LoopLine = { place: line, totalMs: 9_000, cpuMs: 9_700 };
const half = (name: string) =>
  endpoint({
    ...{ route: name, requests: 540, partsMs: { total: 39_500 } },
    onLoop: [{ place: line, totalMs: 4_500, cpuMs: 4_850 }],
  });
/** Calls that hold the loop for a second, among 38,000 requests in 25 s. */
const rare = (times: number, seconds = 25, holdMs = 1_000) =>
  worker({
    endpoints: [
      endpoint({
        ...{ requests: 1_520 * seconds, partsMs: { total: 0.6 * 1_520 * seconds } },
        stalls: [{ ...amount(times, holdMs * times), cpuMs: 0 }],
      }),
    ],
    ...{ seconds: seconds + 0.5, busySeconds: seconds },
    loopCpuMs: 1_000 * seconds - holdMs * times,
    cpuMs: 1_000 * seconds - holdMs * times + 100,
  });
const rarely = (seconds: number) => ({ seconds, requests: 1_520 * seconds, latencyMeanMs: 5.2 });
const collection = (ms: number) => ({ ...amount(60, ms), requests: 0, cpuMs: ms });

const cases: readonly Case[] = [
  {
    name: "a call of 15 ms, which is no stall",
    ...{ worker: blocking([isBlocked]), load: asked },
    found: ["blocking call on the event loop /orders 9"],
  },
  {
    name: "a call of 15 ms outside of requests",
    worker: blocking([], { outside: { stalls: [], onLoop: [isBlocked] } }),
    load: asked,
    found: ["blocking call on the event loop  9"],
  },
  {
    name: "a call of 15 ms in a greenlet, whose request nobody knows",
    worker: blocking([], {
      outside: { stalls: [], onLoop: [isBlocked] },
      server: { worker: "gevent", slots: null, requestsPerConnection: null },
    }),
    load: asked,
    found: ["blocking call on the event loop  9"],
  },
  {
    name: "two calls that block, the longer first",
    worker: blocking([
      { place: line, totalMs: 3_000, cpuMs: 20 },
      { place: emit, totalMs: 6_600, cpuMs: 30 },
    ]),
    load: asked,
    found: ["blocking call on the event loop /orders 9", "blocking call on the event loop /orders 37"],
  },
  {
    name: "a call that blocks for little of the time",
    worker: blocking([{ place: emit, totalMs: 900, cpuMs: 0 }]),
    load: asked,
    found: [],
  },
  {
    name: "a call of a second, twice in 25 s",
    ...{ worker: rare(2), load: rarely(25) },
    found: ["blocking call on the event loop /orders 37"],
  },
  {
    name: "the same, where the machine lets others run for as long",
    worker: { ...rare(2), loopCpuMs: 20_500, cpuMs: 20_600, loopLostMs: 2_500 },
    load: rarely(25),
    found: ["blocking call on the event loop /orders 37"],
  },
  { name: "the same once in a minute and a half", ...{ worker: rare(1, 90), load: rarely(90) }, found: [] },
  {
    name: "a call that does not explain the throughput",
    ...{ worker: blocking([isBlocked]), load: { ...asked, requests: 300 } },
    found: [],
  },
  {
    name: "steps that wait for the processor, which the app's threads have",
    ...{ worker: blocking([isBlocked], { cpuMs: 9_000 }), load: asked },
    found: [],
  },
  {
    name: "steps that wait while the machine lets others run",
    ...{ worker: blocking([isBlocked], { loopLostMs: 9_000 }), load: asked },
    found: [],
  },
  {
    name: "a system without clocks",
    ...{ worker: blocking([isBlocked], { loopCpuMs: null }), load: asked },
    found: [],
  },
  {
    name: "work of 9 ms on two lines of a function",
    worker: working([
      { place: { ...line, line: 36 }, totalMs: 4_000, cpuMs: 4_200 },
      { place: line, totalMs: 5_000, cpuMs: 5_500 },
      { place: null, totalMs: 200, cpuMs: 200 },
    ]),
    load: worked,
    found: ["CPU work on the event loop /orders 37"],
  },
  {
    name: "a middleware's work, in front of all endpoints",
    worker: working([], { endpoints: [half("/a"), half("/b")] }),
    load: worked,
    found: ["CPU work on the event loop  37"],
  },
  {
    name: "work of the framework, which writes what the function returns",
    ...{ worker: working([{ ...isWork, place: null }]), load: worked },
    found: ["CPU work on the event loop /orders 30"],
  },
  {
    name: "work of the framework outside of requests",
    worker: working([], { outside: { stalls: [], onLoop: [{ ...isWork, place: null }] } }),
    load: worked,
    found: [],
  },
  {
    name: "work of the framework as it is usual",
    worker: worker({
      endpoints: [
        endpoint({
          ...{ requests: 1_400, partsMs: { total: 79_000 } },
          onLoop: [{ place: null, totalMs: 9_000, cpuMs: 9_700 }],
        }),
      ],
      ...{ loopCpuMs: 9_950, cpuMs: 10_000 },
    }),
    load: { requests: 1_400, latencyMeanMs: 57 },
    found: [],
  },
  {
    name: "code of others that blocks, at no line of the user's",
    ...{ worker: blocking([{ ...isBlocked, place: null }]), load: asked },
    found: [],
  },
  {
    name: "work that is short",
    worker: worker({
      ...working([isWork]),
      endpoints: [endpoint({ requests: 2_160, partsMs: { total: 79_000 }, onLoop: [isWork] })],
    }),
    load: { requests: 2_160, latencyMeanMs: 37 },
    found: [],
  },
  {
    name: "work on a loop that has time: requests wait for something else",
    worker: worker({
      endpoints: [
        endpoint({
          ...{ requests: 300, partsMs: { total: 79_000 } },
          onLoop: [{ place: line, totalMs: 2_600, cpuMs: 2_700 }],
        }),
      ],
      ...{ loopCpuMs: 2_900, cpuMs: 3_000 },
    }),
    load: { requests: 300, latencyMeanMs: 266 },
    found: [],
  },
  {
    name: "work that is the smaller part",
    ...{ worker: working([{ ...isWork, cpuMs: 4_900 }]), load: worked },
    found: [],
  },
  {
    name: "work whose long pieces are a small part: all of it counts",
    worker: worker({
      ...working([isWork]),
      endpoints: [
        endpoint({
          ...{ requests: 1_080, partsMs: { total: 79_000 }, onLoop: [isWork] },
          stalls: [{ ...amount(60, 1_500), cpuMs: 1_500 }],
        }),
      ],
    }),
    load: worked,
    found: ["CPU work on the event loop /orders 37"],
  },
  {
    name: "work of a thread's route on the loop, at no line of the user's",
    worker: worker({
      endpoints: [
        endpoint({
          ...{ kind: "sync", requests: 200, partsMs: { total: 79_000, inThreads: 9_000 } },
          stalls: [{ ...amount(200, 8_000), place: null, cpuMs: 7_800 }],
        }),
      ],
      ...{ loopCpuMs: 9_700, cpuMs: 9_900 },
    }),
    load: { requests: 200, latencyMeanMs: 395 },
    found: ["CPU work on the event loop /orders 30"],
  },
  {
    name: "the collector, where a function adds to what is kept",
    ...{ worker: working([isWork], { collections: [collection(6_000)] }), load: worked },
    found: ["garbage collection /orders 37"],
  },
  {
    name: "the collector at two lines, of which one brings it about more often",
    worker: working([isWork], {
      collections: [{ ...collection(1_000), place: { ...line, line: 36 } }, collection(6_000)],
    }),
    load: worked,
    found: ["garbage collection /orders 37"],
  },
  {
    name: "the collector in a long hold",
    worker: worker({
      endpoints: [
        endpoint({
          ...{ requests: 200, partsMs: { total: 79_000 } },
          stalls: [{ ...amount(200, 9_500), cpuMs: 9_500 }],
        }),
      ],
      ...{ loopCpuMs: 9_800, cpuMs: 9_900, collections: [collection(9_000)] },
    }),
    load: { requests: 200, latencyMeanMs: 395 },
    found: ["garbage collection /orders 37"],
  },
  {
    name: "the collector at no line of the user's, in two endpoints",
    worker: working([], {
      endpoints: [
        { ...half("/a"), onLoop: [] },
        { ...half("/b"), onLoop: [] },
      ],
      collections: [{ ...collection(6_000), place: null }],
    }),
    load: worked,
    found: ["garbage collection"],
  },
  {
    name: "the collector at no line of the user's, seen as the framework's work",
    worker: working([{ ...isWork, place: null }], {
      collections: [{ ...collection(6_000), place: null }],
    }),
    load: worked,
    found: ["garbage collection /orders"],
  },
  {
    name: "the collector at no line of the user's, in a long hold of two endpoints",
    worker: worker({
      endpoints: ["/a", "/b"].map((route) =>
        endpoint({
          ...{ route, requests: 100, partsMs: { total: 39_500 } },
          stalls: [{ ...amount(100, 4_750), place: null, cpuMs: 4_750 }],
        }),
      ),
      ...{ loopCpuMs: 9_800, cpuMs: 9_900, collections: [{ ...collection(9_000), place: null }] },
    }),
    load: { requests: 200, latencyMeanMs: 395 },
    found: ["garbage collection"],
  },
  {
    name: "the collector in a function of the user's, which nobody saw in a long hold",
    worker: worker({
      endpoints: [
        endpoint({
          ...{ requests: 200, partsMs: { total: 79_000 } },
          stalls: [{ ...amount(200, 9_500), place: null, cpuMs: 9_500 }],
        }),
      ],
      ...{ loopCpuMs: 9_800, cpuMs: 9_900, collections: [collection(9_000)] },
    }),
    load: { requests: 200, latencyMeanMs: 395 },
    found: ["garbage collection /orders 37"],
  },
  {
    name: "a function with long holds in two endpoints, and the collector in a part of them",
    worker: worker({
      endpoints: ["/a", "/b"].map((route) =>
        endpoint({
          ...{ route, requests: 100, partsMs: { total: 39_500 } },
          stalls: [{ ...amount(100, 4_750), cpuMs: 4_750 }],
        }),
      ),
      ...{ loopCpuMs: 9_800, cpuMs: 9_900, collections: [collection(4_000)] },
    }),
    load: { requests: 200, latencyMeanMs: 395 },
    found: ["garbage collection  37", "CPU work on the event loop /a 37", "CPU work on the event loop /b 37"],
  },
  {
    name: "a collector that has little to do",
    ...{ worker: working([], { collections: [collection(1_000)] }), load: worked },
    found: [],
  },
];

const read = { file: "app/lists.py", line: 15, function: "is_blocked", code: "return address in lines" };
const awaited = {
  file: "app/lists.py",
  line: 22,
  function: "refuse",
  code: "return await call_next(request)",
};
/** As recorded on a machine that let others run for more than half of the time. */
const onBusyMachine: readonly Case[] = [
  {
    name: "a middleware that works for 9 ms in each request",
    worker: worker({
      endpoints: [
        endpoint({
          requests: 168,
          partsMs: { total: 21_890, cpu: 2_169, blocked: 2_651, loopWait: 17_070 },
          stalls: [
            { ...amount(107, 2_696), place: read, cpuMs: 1_166 },
            { ...amount(80, 1_684), place: awaited, cpuMs: 738 },
          ],
          onLoop: [
            { place: read, totalMs: 2_579, cpuMs: 1_154 },
            { place: awaited, totalMs: 2_146, cpuMs: 992 },
          ],
        }),
      ],
      ...{ busySeconds: 4.999, cpuMs: 2_291, loopCpuMs: 2_207, loopLostMs: 2_924 },
    }),
    load: { seconds: 5.03, requests: 168, latencyMeanMs: 240, appCpus: 1 },
    found: ["CPU work on the event loop /orders 15", "CPU work on the event loop /orders 22"],
  },
  {
    name: "a middleware whose work is seen at the await after it, rather than at its line",
    worker: worker({
      endpoints: [
        endpoint({
          requests: 168,
          partsMs: { total: 21_890, cpu: 2_169, blocked: 2_651, loopWait: 17_070 },
          stalls: [
            { ...amount(80, 1_684), place: read, cpuMs: 738 },
            { ...amount(107, 2_696), place: awaited, cpuMs: 1_166 },
          ],
        }),
      ],
      ...{ busySeconds: 4.999, cpuMs: 2_291, loopCpuMs: 2_207, loopLostMs: 2_924 },
    }),
    load: { seconds: 5.03, requests: 168, latencyMeanMs: 240, appCpus: 1 },
    found: ["CPU work on the event loop /orders 15", "CPU work on the event loop /orders 22"],
  },
  {
    name: "an await whose line has most of the work by far",
    worker: worker({
      endpoints: [
        endpoint({
          requests: 168,
          partsMs: { total: 21_890, cpu: 2_169, blocked: 2_651, loopWait: 17_070 },
          stalls: [
            { ...amount(40, 1_200), place: read, cpuMs: 600 },
            { ...amount(147, 3_180), place: awaited, cpuMs: 1_500 },
          ],
        }),
      ],
      ...{ busySeconds: 4.999, cpuMs: 2_291, loopCpuMs: 2_207, loopLostMs: 2_924 },
    }),
    load: { seconds: 5.03, requests: 168, latencyMeanMs: 240, appCpus: 1 },
    found: ["CPU work on the event loop /orders 22", "CPU work on the event loop /orders 15"],
  },
  {
    name: "a reply of 20,000 models, of a function in a thread",
    worker: worker({
      endpoints: [
        endpoint({
          ...{ kind: "sync", requests: 160 },
          partsMs: { total: 6_977, cpu: 1_582, blocked: 1_472, loopWait: 1_990, inThreads: 94 },
          stalls: [{ ...amount(56, 1_729), place: null, cpuMs: 669 }],
          onLoop: [{ place: null, totalMs: 2_782, cpuMs: 1_529 }],
        }),
      ],
      ...{ busySeconds: 4.786, cpuMs: 1_742, loopCpuMs: 1_576, loopLostMs: 3_000 },
    }),
    load: { seconds: 5.03, requests: 160, latencyMeanMs: 240, appCpus: 1 },
    found: ["CPU work on the event loop /orders 30"],
  },
  {
    name: "the collector of a heap that grows",
    worker: worker({
      endpoints: [
        endpoint({
          requests: 3_048,
          partsMs: { total: 4_454, cpu: 3_176, blocked: 1_399 },
          stalls: [{ ...amount(11, 1_568), cpuMs: 1_225 }],
          onLoop: [
            { place: line, totalMs: 2_085, cpuMs: 2_521 },
            { place: null, totalMs: 363, cpuMs: 686 },
          ],
        }),
      ],
      collections: [{ ...amount(737, 1_676), requests: 0, cpuMs: 1_084 }],
      ...{ busySeconds: 5.008, cpuMs: 3_326, loopCpuMs: 3_268, loopLostMs: 1_738 },
    }),
    load: { seconds: 5, requests: 3_043, latencyMeanMs: 12.9, appCpus: 1 },
    found: ["garbage collection /orders 37"],
  },
  {
    name: "steps of 2 ms, of which some are long because others run",
    worker: worker({
      endpoints: [
        endpoint({
          requests: 1_000,
          partsMs: { total: 39_000, cpu: 2_000, blocked: 2_400 },
          stalls: [{ ...amount(60, 1_500), cpuMs: 120 }],
          onLoop: [{ place: line, totalMs: 4_400, cpuMs: 1_900 }],
        }),
      ],
      ...{ busySeconds: 5, cpuMs: 2_200, loopCpuMs: 2_100, loopLostMs: 2_800 },
    }),
    load: { seconds: 5, requests: 1_000, latencyMeanMs: 40, appCpus: 1 },
    found: [],
  },
];

describe("what keeps the loop of a machine that others use", () => {
  test.for(onBusyMachine)("$name", (each) => {
    expect(find(each).map(words)).toEqual(each.found);
  });
});

test.for([
  { holdMs: 300, found: 0 },
  { holdMs: 600, found: 1 },
])("four workers need no less of each: $holdMs ms in 5 s, $found", ({ holdMs, found }) => {
  const workers = [1, 2, 3, 4].map((process) => ({ ...rare(1, 5, holdMs), process }));
  const facts = load({ workers: 4, appCpus: 4, seconds: 5, requests: 4 * 1_520 * 5, latencyMeanMs: 1.3 });
  const evidence = gatherEvidence(workers, facts);
  expect(evidence && findCauses(evidence)).toHaveLength(found);
});

describe("what keeps the loop", () => {
  test.for(cases)("$name", (each) => {
    expect(find(each).map(words)).toEqual(each.found);
  });

  test.for<[name: string, summary: RegExp]>([
    [
      "a call of 15 ms, which is no stall",
      /^`\/orders` blocks the event loop for 15 ms per request at `app\/log\.py:9` \(`time\.sleep\(0\.015\)`\), 96% of the loop's time\.$/,
    ],
    [
      "a call of a second, twice in 25 s",
      /^`\/orders` blocks the event loop for 1\.0 s at `app\/orders\.py:37` \(`time\.sleep\(0\.1\)`\) in less than 1% of its requests\.$/,
    ],
    [
      "a call of 15 ms outside of requests",
      /^Work outside requests blocks the event loop for 15 ms per request at /,
    ],
    [
      "work of the framework, which writes what the function returns",
      /^`\/orders` keeps the event loop busy for 9\.0 ms per request in library code that handles the function's input or result at `app\/orders\.py:30` \(`async def orders\(\):`\), 97% of the loop's time\.$/,
    ],
    [
      "a call of 15 ms in a greenlet, whose request nobody knows",
      /^The app blocks the event loop for 15 ms per request at /,
    ],
    [
      "a middleware's work, in front of all endpoints",
      /^Each of 2 endpoints keeps the event loop busy for 9\.0 ms per request at .*, 97% of the loop's time\.$/,
    ],
    [
      "work whose long pieces are a small part: all of it counts",
      / busy for 9\.0 ms per request at .*, 97% of the loop's time\.$/,
    ],
    [
      "the collector, where a function adds to what is kept",
      /^Python's garbage collector takes 5\.6 ms of CPU per request \(60% of the total\): it scans everything that the app keeps whenever new objects pile up at `app\/orders\.py:37`/,
    ],
  ])("is named as it is: %s", ([name, summary]) => {
    const [found] = cases.filter((each) => each.name === name).flatMap(find);
    expect(saying(found)).toMatch(summary);
    expect(found?.advice).toMatch(/\.$/);
    expect(found?.figures.every(({ value }) => Number.isFinite(value))).toBe(true);
  });
});
