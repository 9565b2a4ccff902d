import { storePorts } from "../../model/workload/stores.ts";
import { processesOf } from "./cpu-usage.ts";
import { ownerMark, ownerVariable } from "./process-owner.ts";
import { listNumbers, listProcesses, type ProcessEntry, readLink, readText, readVariable } from "./procfs.ts";

interface Allowed {
  /** Files below are this run's. */
  readonly folders: readonly string[];
  /** As `host:port`. */
  readonly own: ReadonlySet<string>;
}

const databaseFile = /\.(?:db3?|sqlite3?|duckdb)(?:-wal|-journal)?$/;
const mostFiles = 4_000;

/**
 * A store of somebody else that processes have open now, as `Redis at 127.0.0.1:6379`, as the kernel sees it: also one of a
 * program that is no Python. `undefined` without procfs.
 */
export function storeOpenedBy(roots: readonly number[], { folders, own }: Allowed): string | undefined {
  const all = listProcesses();
  const processes = roots.flatMap((root) => processesOf(root, all));
  if (processes.length === 0) return undefined;
  const connections = storeConnections();
  for (const { pid } of processes)
    for (const { number, link } of descriptorsOf(pid)) {
      const peer = connections.get(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? "");
      if (peer !== undefined && !isNamed(peer, own) && !isOurs(peer, all))
        return `${storePorts[peer.port]} at ${peer.place}`;
      if (databaseFile.test(link) && !isBelow(link, folders) && isWritten(pid, number))
        return `a database file at ${link}`;
    }
  return undefined;
}

function descriptorsOf(pid: number): { readonly number: number; readonly link: string }[] {
  const folder = `/proc/${pid}/fd`;
  return listNumbers(folder)
    .slice(0, mostFiles)
    .map((number) => ({ number, link: readLink(`${folder}/${number}`) ?? "" }));
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

function isWritten(pid: number, descriptor: number): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readText(`/proc/${pid}/fdinfo/${descriptor}`) ?? "")?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0;
}

interface Peer {
  readonly place: string;
  readonly port: number;
}

/** Other machines are named by names, and connected to by addresses. */
function isNamed({ place, port }: Peer, own: ReadonlySet<string>): boolean {
  if (own.has(place) || isHere(place)) return own.has(place);
  return [...own].some((each) => !isHere(each) && each.endsWith(`:${port}`));
}

function isHere(place: string): boolean {
  return place.startsWith("127.0.0.1:");
}

const established = "01";
const listening = "0A";

/** Connections to the ports of stores, by the inodes of their sockets. */
function storeConnections(): ReadonlyMap<string, Peer> {
  return new Map(
    rowsOf().flatMap(({ remote, state, inode }) => {
      const { host, port } = endOf(remote);
      const isStore = state === established && Object.hasOwn(storePorts, port);
      return isStore ? [[inode, { place: `${host}:${port}`, port }] as const] : [];
    }),
  );
}

/** True where a process of this run listens. */
function isOurs({ port, place }: Peer, all: readonly ProcessEntry[]): boolean {
  if (!isHere(place)) return false;
  const rows = rowsOf().filter(({ local, state }) => state === listening && endOf(local).port === port);
  const wanted = new Set(rows.map(({ inode }) => `socket:[${inode}]`));
  const mark = ownerMark();
  return all.some(
    ({ pid }) =>
      readVariable(pid, ownerVariable) === mark && descriptorsOf(pid).some(({ link }) => wanted.has(link)),
  );
}

function rowsOf() {
  const tables = [readText("/proc/net/tcp"), readText("/proc/net/tcp6")];
  return tables.flatMap((table) =>
    (table ?? "").split("\n").flatMap((line) => {
      const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/);
      return local === undefined || remote === undefined || inode === undefined
        ? []
        : [{ local, remote, state, inode }];
    }),
  );
}

/** The kernel prints addresses as 32-bit words, little-endian on all machines that matter. */
export function endOf(text: string): { readonly host: string; readonly port: number } {
  const [address = "", port = ""] = text.split(":");
  const isMapped = address.startsWith("0000000000000000FFFF0000");
  const bytes = (address.slice(-8).match(/../g) ?? []).map((each) => Number.parseInt(each, 16)).toReversed();
  const isShort = address.length === 8 || isMapped;
  const isLoopback = isShort ? bytes[0] === 127 : /^0+1000000$/.test(address);
  const host = isLoopback ? "127.0.0.1" : isShort ? bytes.join(".") : address.toLowerCase();
  return { host, port: Number.parseInt(port, 16) };
}
