import { createConnection } from "node:net";

import { type Readiness, serviceHost } from "../../model/workload/service.ts";
import { within } from "../process/index.ts";

const answerWithinMs = 1_000;
/** Docker accepts connections for a container that does not listen yet, and closes them at once. */
const keptForMs = 150;

export async function isReady(readiness: Readiness, port: number): Promise<boolean> {
  if (readiness.kind === "http") return await answersPath(readiness.path, port);
  // On a busy machine one connection may be closed too late to be noticed, but hardly two in a row.
  return (await answers(readiness, port)) && (readiness.kind !== "tcp" || (await answers(readiness, port)));
}

async function answers(readiness: Exclude<Readiness, { kind: "http" }>, port: number): Promise<boolean> {
  const { send, expect } = readiness.kind === "tcp" ? { send: "", expect: "" } : readiness;
  const isKeptEnough = readiness.kind === "tcp";
  return await new Promise((resolve) => {
    let said = "";
    const socket = createConnection({ port, host: serviceHost });
    const end = (is: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(is);
    };
    const timer = setTimeout(
      () => end(isKeptEnough && !socket.connecting),
      isKeptEnough ? keptForMs : answerWithinMs,
    );
    socket.once("connect", () => {
      if (send !== "") socket.write(send, "latin1");
    });
    socket.on("data", (data) => {
      said += data.toString("latin1");
      if (said.length >= expect.length) end(said.startsWith(expect));
    });
    for (const event of ["error", "close"]) socket.once(event, () => end(false));
  });
}

async function answersPath(path: string, port: number): Promise<boolean> {
  try {
    return await within({ ms: answerWithinMs }, async (signal) => {
      const reply = await fetch(`http://${serviceHost}:${port}${path}`, { redirect: "manual", signal });
      await reply.body?.cancel();
      return reply.status < 400;
    });
  } catch {
    return false;
  }
}
