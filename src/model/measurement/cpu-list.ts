/** CPU numbers of a Linux list, in order, e.g. `0-1,3`. */
export function parseCpuList(text: string): number[] {
  return text
    .trim()
    .split(",")
    .filter((range) => range !== "")
    .flatMap((range) => {
      const [first = Number.NaN, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** The CPUs as a Linux list; empty for no CPU. */
export function formatCpuList(cpus: Iterable<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const cpu of [...new Set(cpus)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === cpu - 1) range[1] = cpu;
    else ranges.push([cpu, cpu]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

/** Number of CPUs in a Linux list: `0-1,3` has 3. */
export function cpuCount(list: string): number {
  return parseCpuList(list).length;
}
