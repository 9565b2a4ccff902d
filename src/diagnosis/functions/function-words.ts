import { shortenEnd } from "../../text/length.ts";
import { perRequest } from "../../text/numbers.ts";
import { plain } from "../wording.ts";
import type { ChangeFacts } from "./change-facts.ts";
import { type Owner, threadsOwner } from "./owner.ts";
import type { ChangeReason } from "./reason.ts";

/** Work of FastAPI that people know by another name than its function's. */
const stages: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/serialize_response|_prepare_response_content|jsonable_encoder/, "Serialising the reply"],
  [/(?:JSON|ORJSON|UJSON)?Response\.(?:__init__|render)/, "Writing the reply"],
  [/solve_dependencies|request_body_to_args|request_params_to_args|_get_value/, "Reading the request"],
];

const longestLine = 60;

/** The subject of a sentence: `` `quote()` ``, `Serialising the reply (fastapi)`. */
export function subjectOf(owner: Owner, { endpoint }: Pick<ChangeFacts, "endpoint">): string {
  const { kind, where, function: name } = owner;
  if (owner === threadsOwner) return "Handing work to threads";
  if (kind === "own") return ownWords(name);
  if (kind === "collector") return "Python's garbage collector";
  if (kind === "loop") return `What the event loop and the server do for \`${plain(endpoint)}\``;
  const [, words] = stages.find(([pattern]) => pattern.test(name)) ?? [];
  if (words !== undefined) return `${words} (${plain(where)})`;
  return name === "" ? `Code of \`${plain(where)}\`` : `\`${plain(name)}()\` of ${plain(where)}`;
}

/** Functions without a name, by how Python calls them. */
const nameless: Readonly<Record<string, string>> = {
  listcomp: "A comprehension",
  dictcomp: "A comprehension",
  setcomp: "A comprehension",
  genexpr: "A generator expression",
  lambda: "A lambda",
};

/** `` `quote()` ``, or what stands without a name in it: `` A comprehension of `rows_of()` ``. */
function ownWords(name: string): string {
  const [, outer = "", kind = ""] = /^(.+?)\.<locals>\.<(\w+)>/.exec(name) ?? [];
  const words = nameless[kind];
  return words === undefined ? functionName(name) : `${words} of ${functionName(outer)}`;
}

/** A function within another one as Python calls it, `of.<locals>.inner`, without what nobody writes. */
function functionName(name: string): string {
  return `\`${plain(name.replaceAll(".<locals>", ""))}()\``;
}

/** The end of the sentence: what made it so. */
export function whyOf(reason: ChangeReason, owner: Owner): string {
  if (reason.kind === "caller") {
    const by = functionName(reason.spot.function);
    const { calls } = reason;
    if (calls === undefined || calls.base === calls.head) return `, where ${by} calls it`;
    const times = (count: number) => `${perRequest(count)} ${count === 1 ? "time" : "times"}`;
    return `, where ${by} calls it: ${times(calls.head)} per request, ${perRequest(calls.base)} in the base`;
  }
  if (reason.kind === "removed" || reason.kind === "added")
    return `, where \`${plain(shortenEnd(reason.text, longestLine))}\` was ${reason.kind === "added" ? "added" : "taken away"}`;
  if (reason.kind === "threads")
    return `: ${functionName(reason.spot.function)} ${reason.isAsync ? "needs no thread any more" : "runs in a thread now"}`;
  if (reason.kind === "constant") return `, where \`${plain(reason.name)}\` changed`;
  if (reason.kind === "package") {
    const { base = "none", head = "none" } = reason.versions;
    return `, with ${plain(reason.name)} ${plain(head)} in place of ${plain(base)}`;
  }
  return owner.kind === "own" && reason.kind === "unknown" ? ", which this change does not touch" : "";
}

/** What to do next. */
export function adviceFor(reason: ChangeReason, isMore: boolean, { kind }: Pick<Owner, "kind">): string {
  if (!isMore) return "Keep it.";
  if (kind === "collector")
    return "Make fewer objects, and keep fewer of them from one request to the next: it goes through all that are kept.";
  if (reason.kind === "caller") return "Call it less often, or keep its result.";
  if (reason.kind === "threads") return "Make it `async def` again, as long as it does not block.";
  if (reason.kind === "removed") return "Put it back, or keep the result in another way.";
  if (reason.kind === "constant") return `Check that \`${plain(reason.name)}\` must be as it is now.`;
  if (reason.kind === "package")
    return `Stay with the former version of ${plain(reason.name)}, or report it there.`;
  return "Do less there, or do it once and keep the result.";
}
