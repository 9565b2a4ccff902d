import { createServer, type Socket } from "node:net";

/** A server of Postgres's protocol that lets anybody in and then never answers. */
export interface SilentServer extends AsyncDisposable {
  readonly url: string;
  /** Statements that it was sent. */
  readonly asked: readonly string[];
}

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const authenticated = message("R", Buffer.alloc(4));
const ready = message("Z", Buffer.from("I"));

/** `answersFirst`: statements that it still answers, without a row. */
export async function startSilentServer(answersFirst = 0): Promise<SilentServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    let isIn = false;
    socket.on("data", (data) => {
      if (!isIn) {
        isIn = true;
        socket.write(Buffer.concat([authenticated, ready]));
      } else if (data[0] === "Q".charCodeAt(0) || data[0] === "P".charCodeAt(0)) {
        asked.push(data.toString("latin1"));
        if (asked.length <= answersFirst)
          socket.write(Buffer.concat([message("C", Buffer.from("SET\0")), ready]));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `postgresql://u:p@127.0.0.1:${address.port}/d`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
