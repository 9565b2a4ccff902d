import * as z from "zod";
import { jsonOf } from "../text/json.ts";

const packageSchema = z.object({
  version: z.string().optional(),
  hashes: z.array(z.string()).default([]),
  markers: z.string().optional(),
  extras: z.array(z.string()).default([]),
  git: z.string().optional(),
  ref: z.string().optional(),
});

const schema = z.object({ default: z.record(z.string(), packageSchema) });

/** A Pipfile.lock as requirements, with hashes when it has all; `undefined` when unreadable. */
export function requirementsOfPipfileLock(text: string): readonly string[] | undefined {
  const read = schema.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const packages = Object.entries(read.data.default).filter(([, { version, git }]) => version ?? git);
  const isHashed = packages.every(([, { hashes }]) => hashes.length > 0);
  return packages.map(([name, { version, hashes, markers, extras, git, ref }]) => {
    const called = extras.length === 0 ? name : `${name}[${extras.join(",")}]`;
    const what = git === undefined ? `${called}${version}` : `${called} @ git+${git}${ref ? `@${ref}` : ""}`;
    const where = markers === undefined ? what : `${what} ; ${markers}`;
    return isHashed ? [where, ...hashes.map((each) => `--hash=${each}`)].join(" ") : where;
  });
}
