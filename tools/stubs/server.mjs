// Stands for an HTTP service outside: a few routes with a fixed delay and reply. What it is asked for and does not have
// it answers with 501, and names once in its output, which is read by `src/adapters/services/stubs.ts`.
//
// `node server.mjs ROUTES.json PORT`
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { argv, stdout } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const [, , routesPath = "", port = ""] = argv;
const mostTold = 100;
const told = new Set();

/** True for a path of these parts in their order, with anything between them. Not by an expression, which may take for ever. */
function fits(path, [first, ...others]) {
  const last = others.pop();
  if (last === undefined) return path === first;
  let start = first.length;
  for (const part of others) {
    const found = path.indexOf(part, start);
    if (found < 0) return false;
    start = found + part.length;
  }
  return path.startsWith(first) && path.endsWith(last) && path.length - last.length >= start;
}

const routes = JSON.parse(readFileSync(routesPath, "utf8")).map(({ path, ...route }) => ({
  ...route,
  parts: path.split("*"),
}));

const server = createServer((request, response) => {
  // A request that is given up in its middle must not end the stub of all others.
  answer(request, response).catch(() => response.destroy());
});

async function answer(request, response) {
  const { method = "GET", url = "/" } = request;
  const path = url.split("?")[0] ?? "/";
  for await (const _ of request); // a body is read to its end, as the real service would
  const route = routes.find((each) => each.method === method && fits(path, each.parts));
  if (route === undefined) {
    const asked = `${method} ${path.slice(0, 200)}`;
    if (!told.has(asked) && told.size < mostTold) {
      told.add(asked);
      stdout.write(`no route: ${asked}\n`);
    }
    response.writeHead(501, { "content-type": "text/plain" }).end(`the stub has no ${asked}\n`);
    return;
  }
  if (route.delayMs > 0) await sleep(route.delayMs);
  response.writeHead(route.status, route.headers).end(route.body);
}

server.keepAliveTimeout = 60_000;
server.listen(Number(port), "127.0.0.1");
