/** How many CPUs a list as Linux writes it has: `0-1,3` has 3. */
export function cpuCount(list: string): number {
  return list.split(",").reduce((total, part) => {
    const [first = Number.NaN, last = first] = part.split("-").map(Number);
    return total + (last - first + 1);
  }, 0);
}
