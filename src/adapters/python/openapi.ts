import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type FailureDetail, messageOf } from "../../errors/errors.ts";
import type { App } from "../../model/workload/workload.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { withUnbuilt } from "../../repository/install-failure.ts";
import { printable } from "../../text/printable.ts";
import { redact } from "../../text/redact.ts";
import {
  describeExit,
  makeWorkFolder,
  readPlainFile,
  readTail,
  runProcess,
  startDeadline,
} from "../process/index.ts";

// Its WebSockets, of which OpenAPI knows nothing, are listed beside the paths (`x-websockets`).
// The app is imported as in the check of its import (app-import.ts); its output goes to the log. Mounted applications
// have documents of their own, whose references get a place of their own. Middleware that was put around the app by
// hand is looked through.
const script = `
import importlib, json, os, sys, traceback
def described(app):
    try:
        return app.openapi()
    except Exception:
        # The error may be in the words around it, such as a licence without a name; only its routes count.
        from fastapi.openapi.utils import get_openapi
        return get_openapi(title="app", version="0", routes=app.routes)
def unwrapped(app):
    for name in ("app", "other_asgi_app", "_app", "asgi_app"):
        inner = getattr(app, name, None)
        if not hasattr(app, "openapi") and not hasattr(app, "routes") and callable(inner):
            app = inner
    return app
def sockets(app, before="", depth=0):
    for route in getattr(unwrapped(app), "routes", ()):
        path, inner = getattr(route, "path", None), getattr(route, "app", None)
        if not isinstance(path, str):
            continue
        if "WebSocket" in type(route).__name__:
            yield before + path
        elif hasattr(inner, "routes") and not hasattr(route, "endpoint") and depth < 5:
            yield from sockets(inner, before + path.rstrip("/"), depth + 1)
def whole(app, depth=0):
    app = unwrapped(app)
    document = described(app) if hasattr(app, "openapi") else None
    if depth > 5:
        return document
    for number, route in enumerate(getattr(app, "routes", ())):
        mounted = getattr(route, "app", None)
        path = getattr(route, "path", None)
        if path is None or not hasattr(mounted, "routes") or hasattr(route, "endpoint"):
            continue
        inner = whole(mounted, depth + 1)
        if not inner:
            continue
        place = "x-mounted-%d-%d" % (depth, number)
        inner = json.loads(json.dumps(inner).replace('"#/', '"#/' + place + "/"))
        document = document or {"openapi": "3.1.0", "paths": {}}
        document[place] = inner
        for each, item in inner.get("paths", {}).items():
            item = {"security": inner["security"], **item} if "security" in inner else item
            document["paths"][path.rstrip("/") + each] = item
        schemes = inner.get("components", {}).get("securitySchemes", {})
        for name, scheme in schemes.items():
            document.setdefault("components", {}).setdefault("securitySchemes", {}).setdefault(name, scheme)
    return document
try:
    sys.path.insert(0, os.getcwd())
    module, _, attributes = sys.argv[1].partition(":")
    found = importlib.import_module(module)
    for name in filter(None, attributes.removesuffix("()").split(".")):
        found = getattr(found, name)
    if attributes.endswith("()") or callable(found) and isinstance(found, type(whole)):
        found = found()
    document = whole(found)
    if document is None:
        raise AttributeError(f"{sys.argv[1]} has no OpenAPI document of its own")
    opened = list(sockets(found))[:100]
    if opened and isinstance(document, dict):
        document = {**document, "x-websockets": opened}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(document, file)
    status = 0
except BaseException as error:
    status = 1
    print(" ".join("".join(traceback.format_exception_only(type(error), error)).split()), file=sys.stderr)
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
`;

/** A start that may take longer may import for as long. */
const leastSeconds = 60;
const largestBytes = 10_000_000;

/**
 * The app's own OpenAPI document, evaluated in its environment, or the reason for having none, as the end of a
 * sentence.
 */
export async function readOpenApi(
  environment: PythonEnvironment,
  app: App,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
  readyWithinSeconds = leastSeconds,
): Promise<{ readonly document: unknown } | { readonly problem: string; readonly detail?: FailureDetail }> {
  const folder = await makeWorkFolder();
  const logPath = join(folder, "log");
  const path = join(folder, "openapi.json");
  const withinMs = 1_000 * Math.max(leastSeconds, readyWithinSeconds);
  using deadline = startDeadline({ ms: withinMs, signal });
  try {
    const argv = [environment.interpreter, "-c", script, app.importString, path] as const;
    const exit = await runProcess(
      { argv, folder: app.folder, variables, logPath, withinMs },
      deadline.signal,
    );
    if (exit.code !== 0) {
      const lastLine = (await readTail(logPath)).trimEnd().split("\n").at(-1) ?? "";
      const ofApp = printable(redact(lastLine, variables)).slice(0, 1_500);
      const said = withUnbuilt(ofApp, environment.leftOut);
      return { problem: exit.code === 1 ? said : `Python ended with ${describeExit(exit)}` };
    }
    // The app runs beside it and may have put a link to a device, or a pipe, in its place.
    const read = readPlainFile(path, { largestBytes, followsLinks: false });
    if (read.kind === "text") return { document: JSON.parse(read.text) };
    return { problem: read.kind === "missing" ? "it was not written" : `it ${read.reason}` };
  } catch (error) {
    if (signal.aborted && !deadline.isOver) throw error;
    if (deadline.isOver)
      return {
        problem: `it was still being made after ${withinMs / 1_000} s`,
        detail: { kind: "slow start" },
      };
    if (error instanceof SyntaxError) return { problem: printable(messageOf(error)) };
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
