import { type Argv, isProgram } from "./cpus.ts";
import { readText } from "./procfs.ts";

/**
 * Linux places what a process maps below the most that its stack may take, and from this size on each page of that counts.
 * Without randomisation nothing else moves it.
 */
const leastStackBytes = 128 * 1_048_576;
const pageBytes = 4_096;
/**
 * Up to 128 MiB more, because large mappings lie at multiples of 2 MiB. Threads reserve as many addresses for their stacks,
 * but no memory.
 */
const layouts = 32_768;
/** ADDR_NO_RANDOMIZE of personality(2). */
const notRandomized = 0x0040000;

/**
 * The command with an address layout of its own: the same seed gives all of its processes the same one, another seed
 * another one. Layout alone makes two processes of the same code differ by percents for as long as they live.
 *
 * @param seed a whole number, not negative
 */
export function laidOut(argv: Argv, seed: number): Argv {
  const stackBytes = leastStackBytes + (seed % layouts) * pageBytes;
  // The soft limit alone; the hard one stays.
  return ["setarch", "--addr-no-randomize", "prlimit", `--stack=${stackBytes}:`, ...argv];
}

/** The same, where there is such a program; otherwise as it was, so that who starts it learns that. */
export async function laidOutIfThere(
  argv: Argv,
  seed: number,
  { folder, path }: { readonly folder: string; readonly path: string | undefined },
): Promise<Argv> {
  return (await isProgram(argv[0], { folder, path })) ? laidOut(argv, seed) : argv;
}

/** True for a process with a layout that a seed chose. */
export function isLaidOut(pid: number): boolean {
  const personality = Number.parseInt(readText(`/proc/${pid}/personality`) ?? "", 16);
  return (personality & notRandomized) !== 0;
}
