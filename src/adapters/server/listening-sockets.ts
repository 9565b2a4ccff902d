import { createServer } from "node:net";
import {
  isCode,
  listNumbers,
  listProcesses,
  type ProcessEntry,
  readLink,
  readText,
} from "../process/index.ts";

export interface Listener {
  readonly process: ProcessEntry;
  /** True when its socket is in an epoll set; a worker that still starts, and a supervisor, only hold it. */
  readonly isWaiting: boolean;
}

const listenState = "0A";

export function listeningInodes(port: number): Set<string> {
  const tables = [readText("/proc/net/tcp"), readText("/proc/net/tcp6")];
  return new Set(tables.flatMap((table) => parseSocketTable(table ?? "", port)));
}

/** Inodes of the listening sockets on a port, bound to loopback or to all addresses. */
export function parseSocketTable(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    const isOurs = state === listenState && local.endsWith(suffix) && isLoopbackOrAny(local.slice(0, -5));
    return isOurs && inode !== undefined ? [inode] : [];
  });
}

/** Ports on which any of these processes listens for TCP. */
export function portsOf(processes: readonly ProcessEntry[]): readonly number[] {
  const own = new Set(processes.flatMap(({ pid }) => [...socketsOf(pid)]));
  const lines = [readText("/proc/net/tcp"), readText("/proc/net/tcp6")].flatMap((table = "") =>
    table.split("\n"),
  );
  const ports = lines.flatMap((line) => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    return state === listenState && own.has(inode) ? [Number.parseInt(local.slice(-4), 16)] : [];
  });
  return [...new Set(ports)];
}

/** Paths of files that these processes have open for writing, and of sockets that they made. */
export function pathsOf(processes: readonly ProcessEntry[]): readonly string[] {
  const sockets = new Map(
    (readText("/proc/net/unix") ?? "").split("\n").flatMap((line) => {
      const [, inode, path] = /\s(\d+)\s+(\/\S+)$/.exec(line) ?? [];
      return inode === undefined || path === undefined ? [] : [[inode, path] as const];
    }),
  );
  const paths = processes.flatMap(({ pid }) =>
    readDescriptors(pid).flatMap(({ number, link, socket }) => {
      if (socket !== undefined) return sockets.get(socket) ?? [];
      const isFile = link?.startsWith("/") && !/^\/(?:dev|proc|sys|memfd:)|\(deleted\)$/.test(link);
      return isFile && isWritable(pid, number) ? [link ?? ""] : [];
    }),
  );
  return [...new Set(paths)];
}

function isWritable(pid: number, descriptor: number): boolean {
  const [, flags = "0"] =
    /^flags:\s*([0-7]+)$/m.exec(readText(`/proc/${pid}/fdinfo/${descriptor}`) ?? "") ?? [];
  return (Number.parseInt(flags, 8) & 3) !== 0;
}

/** Addresses are printed as 32-bit words in the machine's byte order: little-endian on all that matter. */
function isLoopbackOrAny(address: string): boolean {
  const isMapped = address.startsWith("0000000000000000FFFF0000");
  const last = address.slice(-8);
  if (address.length === 8 || isMapped) return last.endsWith("7F") || /^0+$/.test(last);
  return /^0+$/.test(address) || /^0+01000000$/.test(address);
}

export function findListeners(inodes: ReadonlySet<string>, processes: readonly ProcessEntry[]): Listener[] {
  if (inodes.size === 0) return [];
  return processes.flatMap((process) => {
    const descriptors = readDescriptors(process.pid);
    const sockets = new Set(
      descriptors.filter(({ socket }) => inodes.has(socket ?? "")).map(({ number }) => number),
    );
    if (sockets.size === 0) return [];
    const isWaiting = descriptors
      .filter(({ link }) => link === "anon_inode:[eventpoll]")
      .some(({ number }) => watchedDescriptors(process.pid, number).some((watched) => sockets.has(watched)));
    return [{ process, isWaiting }];
  });
}

export function socketsOf(pid: number): Set<string> {
  return new Set(readDescriptors(pid).flatMap(({ socket }) => socket ?? []));
}

interface Descriptor {
  readonly number: number;
  /** The open file's link, e.g. `socket:[1234]`. */
  readonly link: string | undefined;
  readonly socket: string | undefined;
}

function readDescriptors(pid: number): Descriptor[] {
  const folder = `/proc/${pid}/fd`;
  return listNumbers(folder).map((number) => {
    const link = readLink(`${folder}/${number}`);
    return { number, link, socket: link?.match(/^socket:\[(\d+)\]$/)?.[1] };
  });
}

function watchedDescriptors(pid: number, epollDescriptor: number): number[] {
  const text = readText(`/proc/${pid}/fdinfo/${epollDescriptor}`) ?? "";
  return [...text.matchAll(/^tfd:\s*(\d+)/gm)].map(([, descriptor]) => Number(descriptor));
}

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
