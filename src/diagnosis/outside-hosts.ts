import * as z from "zod";
import { jsonOf } from "../text/json.ts";
import { shortenEnd } from "../text/length.ts";
import type { ProbeFile } from "./probe-documents.ts";

/** Hosts by window: `outside` in a document of `probe/loadtest_probe/outside.py`. */
export const outsideSchema = z.record(z.string().max(200), z.array(z.string().max(300)).max(100));
const documentSchema = z.object({ outside: outsideSchema });

/** Names and addresses; nothing else may appear in a sentence. */
const isHost = /^[\p{L}\p{N}_.:%-]{1,255}$/u;

/** Hosts that the processes of an arm tried to reach in a window, each once. A file of another form has none. */
export function outsideHosts(files: readonly ProbeFile[], window: string): readonly string[] {
  const found = files.flatMap(({ text }) => {
    const { success, data } = documentSchema.safeParse(jsonOf(text));
    return success && Object.hasOwn(data.outside, window) ? (data.outside[window] ?? []) : [];
  });
  return [...new Set(found)].filter((host) => isHost.test(host));
}

export interface OutboundCalls {
  readonly hosts: readonly string[];
  /** Absent: nobody knows whose request it was. */
  readonly endpoint?: string;
}

const mostHosts = 8;
const mostEndpoints = 3;
const longestEndpoint = 100;

/** The hosts that the load would reach, and how to prevent it; `undefined` without any. */
export function outsideSentence(calls: readonly OutboundCalls[]): string | undefined {
  const endpoints = new Map<string, string[]>();
  for (const { hosts, endpoint } of calls)
    for (const host of hosts) {
      const names = endpoints.get(host) ?? [];
      endpoints.set(host, endpoint === undefined || names.includes(endpoint) ? names : [...names, endpoint]);
    }
  if (endpoints.size === 0) return undefined;
  const words = [...endpoints].map(([host, names]) => {
    const shown = names.map((name) => shortenEnd(name, longestEndpoint));
    return shown.length === 0 ? host : `${host} (for ${listed(shown, mostEndpoints)})`;
  });
  return `The app calls ${listed(words, mostHosts)}, so the load goes there too. Use a stub instead (\`stubs\`), unless you are allowed to load-test it.`;
}

/** Commas between the first ones, and the number of all others. */
function listed(all: readonly string[], most: number): string {
  const rest = all.length - most;
  return rest > 0 ? `${all.slice(0, most).join(", ")} and ${rest} more` : all.join(", ");
}
