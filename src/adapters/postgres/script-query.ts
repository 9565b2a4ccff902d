import type { Duplex } from "node:stream";
import { type Client, type Connection, Query } from "pg";

/** As much at once as a socket takes gladly. */
const chunkLength = 256 * 1024;

interface RowsConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Sends a text as one query, and rows whenever one of its statements asks for some. Rejects with the driver's error. */
export function queryWithRows(client: Client, text: string, rows: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let next = 0;
    const query = new Query(text, (error) => {
      isOver = true;
      if (error) reject(error);
      else resolve();
    });
    const give = async (connection: RowsConnection) => {
      const block = rows[next] ?? "";
      next += 1;
      for (let at = 0; at < block.length && !isOver; ) {
        const end = endOfChunk(block, at + chunkLength);
        connection.sendCopyFromChunk(Buffer.from(block.slice(at, end)));
        at = end;
        await untilDrained(connection.stream);
      }
      if (!isOver) connection.endCopyFrom();
    };
    // The driver calls it; its own refuses the statement.
    Object.assign(query, { handleCopyInResponse: (connection: RowsConnection) => void give(connection) });
    client.query(query);
  });
}

function untilDrained(stream: Duplex): Promise<void> | undefined {
  if (!stream.writableNeedDrain) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

/** Not between the two halves of a character. */
function endOfChunk(text: string, wanted: number): number {
  const isHalf = (text.charCodeAt(wanted - 1) & 0xfc00) === 0xd800;
  return Math.min(text.length, isHalf ? wanted + 1 : wanted);
}
