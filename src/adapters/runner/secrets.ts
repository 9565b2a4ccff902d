import { constants } from "node:fs";
import { writeFile } from "node:fs/promises";

import { shortestSecret } from "../../model/endpoint/login.ts";
import { hidden } from "../../text/redact.ts";
import { isCode, readPlainBytes } from "../process/index.ts";

const largestLogBytes = 400_000_000;
/** Not what was put in its place since, and without waiting for it. */
const sameFile = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface Secrets {
  /** The value of a variable, hidden from now on; `undefined` when it is not set. */
  read(name: string): string | undefined;
  hide(value: string): Promise<void>;
  hidden(text: string): string;
  /** A value for JSON, without secrets. */
  hiddenIn<T>(value: T): T;
  /** The text of a result. In JSON only values are hidden: figures and keys are no secrets, and it must stay JSON. */
  hiddenInDocument(name: string, text: string): string;
  /** Rewrites a file that holds any; a missing one is fine. */
  hideInFile(path: string): Promise<void>;
}

/** @param mask registers a value with the runner, which hides it in its log */
export function openSecrets(
  variables: Readonly<Record<string, string | undefined>>,
  mask: (value: string) => Promise<void>,
): Secrets {
  const known = new Set<string>();
  const without = (text: string) => (known.size === 0 ? text : hidden(text, known));
  const hiddenIn = <T>(value: T): T => (known.size === 0 ? value : mapped(value, without));
  const add = (value: string) => void (value.length >= shortestSecret && known.add(value));
  return {
    read: (name) => {
      const value = variables[name] || undefined;
      if (value !== undefined) add(value);
      return value;
    },
    hide: async (value) => {
      if (known.has(value)) return;
      add(value);
      await mask(value);
    },
    hidden: without,
    hiddenIn,
    hiddenInDocument: (name, text) =>
      known.size > 0 && name.endsWith(".json")
        ? `${JSON.stringify(hiddenIn(JSON.parse(text)))}\n`
        : without(text),
    hideInFile: async (path) => {
      if (known.size === 0) return;
      try {
        // The app may have put a pipe in its log's place, or a link.
        const read = readPlainBytes(path, { largestBytes: largestLogBytes, followsLinks: false });
        if (read.kind !== "bytes") return;
        const text = read.bytes.toString("latin1"); // every byte stays as it is
        const clean = hidden(
          text,
          [...known].map((each) => Buffer.from(each).toString("latin1")),
        );
        if (clean !== text) await writeFile(path, clean, { encoding: "latin1", flag: sameFile });
      } catch (error) {
        if (!isCode(error, "ENOENT")) throw error;
      }
    },
  };
}

function mapped<T>(value: T, change: (text: string) => string): T;
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, change)]));
}
