import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { outsideHosts } from "../../src/diagnosis/probe-documents.ts";
import type { ServerCommand } from "../../src/ports/app.ts";
import { appPorts } from "../../src/wiring/measure.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outside-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Looks its neighbours up as numbers, so that nobody has to be asked. */
const app = `import socket, sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/rates":
            with suppress(OSError):
                socket.getaddrinfo("rates.example.invalid", 443, flags=socket.AI_NUMERICHOST)
        if self.path == "/own":
            socket.create_connection(self.server.server_address).close()
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
`;

test("whom an app tries to reach is known by the window of its requests", async () => {
  const ports = appPorts({
    workFolder: folder,
    logFolder: join(folder, "logs"),
    signal: new AbortController().signal,
    progress: () => undefined,
    hideInFile: async () => undefined,
  });
  await writeFile(join(folder, "app.py"), app);
  const port = await ports.freePort();
  const python = { binFolder: "/nowhere", interpreter: "python3", version: "3.11", packages: {} };
  const command: ServerCommand = {
    argv: ["python3", "app.py", String(port)],
    folder,
    variables: {},
    baseUrl: `http://127.0.0.1:${port}`,
    readyPath: "/",
    readyWithinSeconds: 60,
    cpus: undefined,
  };
  await using probe = await ports.openProbe("outside");
  await using server = await ports.startApp(probe.watch(command, python), python, "outside");
  for (const path of ["/own", "/rates"]) {
    await probe.openWindow(path);
    expect((await fetch(server.baseUrl + path)).status).toBe(200);
  }
  const files = await probe.readFiles();
  expect(outsideHosts(files, "/rates")).toEqual(["rates.example.invalid"]);
  expect(outsideHosts(files, "/own")).toEqual([]);
});
