import { type Cell, isAlikeButForEndpoint, onlyReads } from "../model/plan/cell.ts";
import type { CellMemory } from "./cell-memory.ts";

/** A cell whose replicates are being measured. */
interface Measuring {
  readonly cell: Cell;
  readonly memory: CellMemory;
  readonly replicates: readonly unknown[];
  readonly isDone: boolean;
}

/** A start that takes a sixth of the usual load, or longer, is shared. */
const sharedFromSeconds = 0.5;

/**
 * Cells that may be measured on the servers of this one: their starts are slow, they differ in their endpoint alone and
 * only read, and they have no more replicates yet.
 */
export function sharing<T extends Measuring>({ cell, replicates }: T, all: readonly T[]): readonly T[] {
  const alike = all.filter((other) => isAlikeButForEndpoint(other.cell, cell) && onlyReads(other.cell));
  const isSlow = alike.some(({ memory }) => (memory.serversSeconds ?? 0) >= sharedFromSeconds);
  if (!isSlow || !onlyReads(cell)) return [];
  return alike.filter(
    (other) => other.cell !== cell && !other.isDone && other.replicates.length <= replicates.length,
  );
}
