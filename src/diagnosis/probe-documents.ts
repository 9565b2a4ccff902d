import * as z from "zod";
import {
  type ProbeDocument,
  probeDocumentSchema,
  type StartNote,
  startNoteSchema,
} from "../model/findings/probe-document.ts";
import {
  type MemoryDocument,
  memoryDocumentSchema,
  type StackDocument,
  stackDocumentSchema,
} from "../model/findings/stack-document.ts";
import { jsonOf } from "../text/json.ts";
import { shortenEnd } from "../text/length.ts";

export interface ProbeFile {
  readonly name: string;
  readonly text: string;
}

const mostFiles = 1_000;
const longestText = 4_000_000;

/** Reads the probe's documents of one window. Foreign files are left out with a warning. */
export function parseProbeDocuments(
  files: readonly ProbeFile[],
  window: string,
): { readonly documents: readonly ProbeDocument[]; readonly warnings: readonly string[] } {
  const documents: ProbeDocument[] = [];
  const warnings: string[] = [];
  for (const { name, text } of files.filter((file) => !isStartNote(file)).slice(0, mostFiles)) {
    const result = text.length > longestText ? undefined : probeDocumentSchema.safeParse(jsonOf(text));
    if (result === undefined) warnings.push(`Ignored ${name}: it is longer than ${longestText} characters.`);
    else if (!result.success) {
      const [issue] = result.error.issues;
      const where = issue?.path.join(".") || "document";
      warnings.push(`Ignored ${name}: it was not written by this version of the probe (${where}).`);
    } else if (result.data.window === window) documents.push(result.data);
  }
  if (files.length > mostFiles) warnings.push(`Ignored ${files.length - mostFiles} of the probe's files.`);
  return { documents, warnings };
}

/** Reason why no process wrote a document, from the note of each at its start. */
export function blindReason(files: readonly ProbeFile[]): string {
  const notes = files.filter(isStartNote).slice(0, mostFiles).flatMap(startNoteOf);
  const problems = new Set(notes.flatMap((note) => note.problems));
  const servers = new Set(notes.flatMap((note) => note.servers));
  if (problems.size > 0) return [...problems].join("; ");
  if (notes.length === 0)
    return "the server never loaded the probe: it does not run Python, or Python ignores environment variables (`-I`, `-E`)";
  if (servers.size === 0)
    return "no server process imported Starlette, uvicorn or gunicorn, which the probe needs to observe an app";
  const imported = servers.size === 1 ? "was imported" : "were imported";
  return `${[...servers].join(" and ")} ${imported}, but no process that serves the app recorded anything`;
}

function isStartNote({ name }: ProbeFile): boolean {
  return name.startsWith("start-");
}

function startNoteOf({ text }: ProbeFile): readonly StartNote[] {
  const result = text.length > longestText ? undefined : startNoteSchema.safeParse(jsonOf(text));
  return result?.success ? [result.data] : [];
}

/** Reads the samples that the processes of one arm took in a window; files of another form are left out. */
export function parseStackDocuments(
  files: readonly ProbeFile[],
  window: string,
): { readonly documents: readonly StackDocument[]; readonly warnings: readonly string[] } {
  const documents: StackDocument[] = [];
  const warnings: string[] = [];
  for (const { name, text } of files.filter(({ name: each }) => each.startsWith("worker-"))) {
    const result = stackDocumentSchema.safeParse(jsonOf(text));
    if (!result.success) warnings.push(`Ignored ${name}: it was not written by this version of the probe.`);
    else if (result.data.window === window) {
      documents.push(result.data);
      warnings.push(...result.data.unseen);
    }
  }
  return { documents, warnings: [...new Set(warnings)] };
}

/** What the processes of one arm wrote last. */
export interface MemoryDocuments {
  readonly documents: readonly MemoryDocument[];
  /** Number of processes whose last document is of an earlier window. */
  readonly behind: number;
  /** Why their figures may be wrong. */
  readonly doubts: readonly string[];
}

/** Reads what each process keeps in memory since the window before; files of another form are a doubt. */
export function parseMemoryDocuments(files: readonly ProbeFile[], window: string): MemoryDocuments {
  const parsed = files
    .filter(({ name }) => name.startsWith("worker-"))
    .map(({ name, text }) => ({ name, ...memoryDocumentSchema.safeParse(jsonOf(text)) }));
  const known = parsed.flatMap(({ data }) => data ?? []);
  const documents = known.filter((each) => each.window === window);
  const strange = parsed.filter(({ success }) => !success);
  const doubts = [
    ...strange.map(({ name }) => `${name} was not written by this version of the probe`),
    ...documents.flatMap(({ unseen }) => unseen),
  ];
  return { documents, behind: known.length - documents.length, doubts: [...new Set(doubts)] };
}

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
