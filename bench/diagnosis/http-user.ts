import { connect, type Socket } from "node:net";

/**
 * One user's connection, with just enough of HTTP/1.1. The generator shares the machine with the app, and Node's own
 * client takes more of it than a small app does.
 */
export class HttpUser {
  readonly #port: number;
  #socket: Socket | undefined;
  #received = "";
  #settle: ((error?: Error) => void) | undefined;
  /** Number of connections so far. */
  opened = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Resolves with the status when the whole reply has come. */
  async get(path: string): Promise<number> {
    const socket = this.#socket ?? (await this.#open());
    this.#received = "";
    const done = new Promise<void>((resolve, reject) => {
      this.#settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n\r\n`);
    await done;
    const head = this.#received.slice(0, this.#received.indexOf("\r\n\r\n"));
    if (/\r\nconnection: close/i.test(head)) this.close();
    return Number(head.slice(9, 12));
  }

  close(): void {
    this.#settle = undefined;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Promise<Socket> {
    this.opened += 1;
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port: this.#port, noDelay: true }, () => {
        this.#socket = socket;
        resolve(socket);
      });
      socket.setEncoding("latin1");
      socket.on("data", (text) => {
        this.#received += text;
        if (isWhole(this.#received)) this.#settle?.();
      });
      const end = (error?: Error) => {
        if (this.#socket === socket) this.#socket = undefined;
        this.#settle?.(
          error ?? (isEnded(this.#received) ? undefined : new Error("the server closed too soon")),
        );
        reject(error ?? new Error("the server closed at once"));
      };
      socket.once("error", end).once("close", () => end());
    });
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return /\r\ntransfer-encoding: chunked/i.test(head) && text.endsWith("\r\n0\r\n\r\n");
}

/** True when a reply that has neither length nor chunks ends with its connection. */
function isEnded(text: string): boolean {
  return text.includes("\r\n\r\n") && !/\r\n(?:content-length|transfer-encoding):/i.test(text);
}
