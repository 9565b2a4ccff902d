import { shortenEnd } from "../../text/length.ts";
import { perRequest } from "../../text/numbers.ts";
import { plain } from "../wording.ts";
import { type Owner, threadsOwner } from "./owner.ts";
import type { ChangeReason } from "./reason.ts";

/** Work of FastAPI that people know by another name than its function's. */
const stages: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/serialize_response|_prepare_response_content|jsonable_encoder/, "serialising the response"],
  [/(?:JSON|ORJSON|UJSON)?Response\.(?:__init__|render)/, "writing the response"],
  [/solve_dependencies|request_body_to_args|request_params_to_args|_get_value/, "reading the request"],
];

const longestLine = 60;

/** Somebody who takes CPU time: `` `quote()` ``, `serialising the reply (fastapi)`. */
export function ownerWords(owner: Owner): string {
  const { kind, where, function: name } = owner;
  if (owner === threadsOwner) return "handing work to threads";
  if (kind === "own") return ownWords(name);
  if (kind === "collector") return "Python's garbage collector";
  if (kind === "loop") return "event loop and server code";
  const [, words] = stages.find(([pattern]) => pattern.test(name)) ?? [];
  if (words !== undefined) return `${words} (${plain(where)})`;
  return name === "" ? `code of \`${plain(where)}\`` : `\`${plain(name)}()\` of ${plain(where)}`;
}

/** Functions without a name, by how Python calls them. */
const nameless: Readonly<Record<string, string>> = {
  listcomp: "a comprehension",
  dictcomp: "a comprehension",
  setcomp: "a comprehension",
  genexpr: "a generator expression",
  lambda: "a lambda",
};

/** `` `quote()` ``, or a nameless part of it: `` a comprehension in `rows_of()` ``. */
function ownWords(name: string): string {
  const [, outer = "", kind = ""] = /^(.+?)\.<locals>\.<(\w+)>/.exec(name) ?? [];
  const words = nameless[kind];
  return words === undefined ? functionName(name) : `${words} in ${functionName(outer)}`;
}

/** A function within another one as Python calls it, `of.<locals>.inner`, without what nobody writes. */
function functionName(name: string): string {
  return `\`${plain(name.replaceAll(".<locals>", ""))}()\``;
}

export function whyOf(reason: ChangeReason, owner: Owner): string {
  if (reason.kind === "caller") {
    const by = functionName(reason.spot.function);
    const { calls } = reason;
    if (calls === undefined || calls.base === calls.head) return `, where ${by} calls it`;
    const times = (count: number) => `${perRequest(count)} ${count === 1 ? "time" : "times"}`;
    return `, called by ${by} ${times(calls.head)} per request (${perRequest(calls.base)} in the base)`;
  }
  if (reason.kind === "removed" || reason.kind === "added")
    return `, where \`${plain(shortenEnd(reason.text, longestLine))}\` was ${reason.kind}`;
  if (reason.kind === "threads")
    return `, now that ${functionName(reason.spot.function)} ${reason.isAsync ? "needs no thread" : "runs in a thread"}`;
  if (reason.kind === "constant") return `. It depends on \`${plain(reason.name)}\``;
  if (reason.kind === "package") {
    const { base, head } = reason.versions;
    if (head === undefined) return `, without ${plain(reason.name)}`;
    return `, with ${plain(reason.name)} ${plain(head)}${base === undefined ? "" : ` instead of ${plain(base)}`}`;
  }
  return owner.kind === "own" && reason.kind === "unknown" ? ", though this change does not touch it" : "";
}

export function adviceFor(reason: ChangeReason, isMore: boolean, { kind }: Pick<Owner, "kind">): string {
  if (!isMore) return "Nothing to do.";
  if (kind === "collector")
    return "Create fewer objects, and keep fewer between requests: the collector scans every object that is kept.";
  if (reason.kind === "caller") return "Call it less often, or cache its result.";
  if (reason.kind === "threads") return "Make it `async def` again, unless it blocks.";
  if (reason.kind === "removed") return "Restore it, or cache the result in another way.";
  if (reason.kind === "constant") return `Check that the new \`${plain(reason.name)}\` value is intended.`;
  if (reason.kind === "package")
    return `Pin the previous version of ${plain(reason.name)}, or report it upstream.`;
  return "Do less work there, or cache the result.";
}
