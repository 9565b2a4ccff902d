import type { StackDocument, StackFrame } from "../../model/findings/stack-document.ts";

/** The owner of a stretch of CPU time. Each stretch has one, so all owners together have all of it. */
export interface Owner {
  /**
   * `own`: a function of the user's, with all that others' code does for it. `library`: others' code that nobody of the
   * user's called. `collector`: Python's garbage collector. `loop`: the rest, in the event loop and the server.
   */
  readonly kind: "own" | "library" | "collector" | "loop";
  /** File of the user's, or package. */
  readonly where: string;
  readonly function: string;
  /** Lines of a function of the user's. */
  readonly first: number;
  readonly last: number;
  readonly names: readonly string[];
}

export interface StackStep {
  readonly frame: StackFrame;
  readonly line: number;
}

export interface Owned {
  readonly owner: Owner;
  /** Lines of the user's, the innermost first: the owner's own, then those that called it. */
  readonly steps: readonly StackStep[];
  /** Packages at work for a function of the user's, the innermost first. */
  readonly packages?: readonly string[];
  /** The user's function that FastAPI called for the reply. */
  readonly handler?: StackStep | undefined;
}

const nowhere = { first: 0, last: 0, names: [] } as const;

export const loopOwner: Owner = { kind: "loop", where: "", function: "", ...nowhere };

/** All that hands work to threads and back. */
export const threadsOwner: Owner = { kind: "library", where: "threads", function: "", ...nowhere };

const collectorName = "(garbage collector)";

/** Functions that only hand a request on. */
const dispatch = /(?:^|\.)(?:app|handle|__call__|wrapped_app|run_endpoint_function|inner)$/;
const frameworks = new Set(["fastapi", "starlette"]);

export function ownerKey({ kind, where, function: name }: Owner): string {
  return JSON.stringify([kind, where, name]);
}

/** The innermost function of the user's. Middleware around it has no part in what happens within. */
export function ownerOf({ stacks, frames }: StackDocument, stack: number): Owned {
  const steps: StackStep[] = [];
  const packages: string[] = [];
  let stage: StackFrame | undefined;
  let innermost: StackFrame | undefined;
  let isRequest = false;
  let isCollector = false;
  let handler: StackStep | undefined;
  const pairs = stacks[stack] ?? [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const frame = frames[pairs[at] ?? -1];
    if (frame === undefined) continue;
    if (frame.function === collectorName && frame.package === "python") {
      isCollector = true;
      continue;
    }
    innermost ??= frame;
    if (frame.file === null && steps.length === 0) packages.push(frame.package);
    if (frame.file !== null) steps.push({ frame, line: pairs[at + 1] ?? 0 });
    else if (frame.isApp) {
      isRequest = true;
      break;
    } else if (frame.function === "run_endpoint_function") handler = steps.at(-1);
    else if (steps.length === 0 && !isDispatch(frame)) stage = frame;
  }
  if (isCollector) return { owner: { kind: "collector", where: "python", function: "", ...nowhere }, steps };
  const owned = withinItsFunction(steps);
  const [own] = owned;
  if (own?.frame.file != null)
    return {
      owner: ownFunction(own.frame, own.frame.file),
      steps: owned,
      packages: [...new Set(packages)],
      handler: handler ?? steps.at(-1),
    };
  if (isRequest && stage !== undefined) return { owner: library(stage.package, stage.function), steps };
  return { owner: library(innermost?.package ?? "python", ""), steps };
}

/** A comprehension within another one has its name right behind that one's. */
const nameless = /(?:\.<locals>)?\.<\w+>$/;

/** A comprehension or a lambda that its own function runs is a line of that function, as people read it. */
function withinItsFunction([own, outer, ...rest]: readonly StackStep[]): readonly StackStep[] {
  if (own === undefined || outer === undefined) return own === undefined ? [] : [own];
  const isInside =
    own.frame.file === outer.frame.file && own.frame.function.replace(nameless, "") === outer.frame.function;
  if (!isInside || !nameless.test(own.frame.function)) return [own, outer, ...rest];
  return withinItsFunction([{ frame: outer.frame, line: own.line }, ...rest]);
}

function ownFunction({ function: name, first, last, names }: StackFrame, file: string): Owner {
  return { kind: "own", where: file, function: name, first, last, names };
}

function library(name: string, functionName: string): Owner {
  return { kind: "library", where: name, function: functionName, ...nowhere };
}

function isDispatch({ package: name, function: functionName }: StackFrame): boolean {
  return frameworks.has(name) && dispatch.test(functionName);
}
