import type { Cause } from "../../model/findings/finding.ts";

/** What to do about each cause, in our own words: a finding's own advice may quote the app. */
export const adviceOn: Readonly<Record<Cause, string>> = {
  "generator bound": "Give k6 more CPUs, or the app fewer.",
  "blocking call on the event loop":
    "Use an async version that does not block, or make the route a plain `def`.",
  "CPU work on the event loop": "Do less there, cache the result, or move the work to a process pool.",
  "event loop per request": "Make the route `async def` and await the call.",
  "executor per request": "Create the executor once at startup.",
  "garbage collection": "Keep fewer objects between requests.",
  "unpooled connections": "Take connections from a pool that is opened at startup.",
  "pool too small": "Return connections sooner, or enlarge the pool.",
  "pool larger than the database allows": "Limit the pools.",
  "repeated query": "Fetch all rows in one query: a join, or `WHERE ... = ANY(...)`.",
  "missing index": "Create an index on the columns that the query filters on.",
  "slow query": "Check its plan with `EXPLAIN (ANALYZE, BUFFERS)`.",
  "thread pool exhausted": "Reduce the time that threads spend waiting.",
  "one worker gets most requests": "Put a proxy in front, or listen with SO_REUSEPORT.",
  "delayed acknowledgements": "Install uvloop.",
  "connections not kept alive": "Use a worker that keeps connections open.",
  "more workers than CPUs": "Start fewer workers.",
  "more CPU in a function": "Make the function do less, or call it less often.",
  "less CPU in a function": "Nothing to do.",
  "growing memory": "Limit what is kept, or release it when the request ends.",
  "slower start": "Do less at import time and at startup.",
  "CPU time of a request": "Start with its largest function.",
  "waiting, not computing": "Shorten the waits, or run them concurrently.",
};

/** Most characters of a foreign text, by its kind. */
export const longest = { name: 120, code: 160, text: 300, log: 600 } as const;
