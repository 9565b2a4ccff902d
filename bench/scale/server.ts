import { createServer } from "node:http";

/** A server on loopback that answers after a while and counts its GETs. */
export async function waitingServer(waitMs: () => number) {
  let gets = 0;
  const server = createServer((request, response) => {
    if (request.method === "GET") gets += 1;
    setTimeout(() => response.end("hello"), waitMs());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    gets: () => gets,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Two such servers, and the settings that compare them: nothing fails, whatever the verdict. */
export async function twoArms(waitsMs: { readonly base: number; readonly head: number }) {
  const base = await waitingServer(() => waitsMs.base);
  const head = await waitingServer(() => waitsMs.head);
  const hosts = [base, head].map(({ baseUrl }) => new URL(baseUrl).host);
  return {
    settings: [
      ...[`base-url: ${base.baseUrl}`, `head-url: ${head.baseUrl}`],
      ...[`allow-target: [${hosts.join(", ")}]`, "fail-on: never"],
    ],
    gets: () => base.gets() + head.gets(),
    [Symbol.asyncDispose]: async () => {
      await base[Symbol.asyncDispose]();
      await head[Symbol.asyncDispose]();
    },
  };
}
