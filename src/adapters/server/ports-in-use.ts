import { createServer } from "node:net";
import { isCode, listProcesses } from "../process/index.ts";
import { findListeners, listeningInodes } from "./listening-sockets.ts";

const loopback = "127.0.0.1";

/** Reason why a server could not listen on a port now; `undefined` when it could. */
export async function portProblem(port: number): Promise<string | undefined> {
  try {
    await listenBriefly(port);
    return undefined;
  } catch (error) {
    if (isCode(error, "EACCES")) return `port ${port} may not be opened by this user; choose one above 1023`;
    if (!isCode(error, "EADDRINUSE")) throw error;
    const owners = findListeners(listeningInodes(port), listProcesses());
    const owner = owners.map(({ process }) => `process ${process.pid} (${process.name})`).join(", ");
    return `port ${port} is already in use${owner && ` by ${owner}`}; stop that or choose another port`;
  }
}

/** A port that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  return await listenBriefly(0);
}

async function listenBriefly(port: number): Promise<number> {
  const server = createServer();
  return await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: loopback, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : port));
    });
  });
}

/** The port that our server listens on. A URL leaves out 80, the default of `http:`. */
export function portOf(baseUrl: string): number {
  return Number(new URL(baseUrl).port || 80);
}
