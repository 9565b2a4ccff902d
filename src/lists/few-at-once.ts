/** Results in the order of the items, `most` at once. After a failure nothing more begins. */
export async function fewAtOnce<T, U>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const results: U[] = [];
  const waiting = [...items.entries()].toReversed();
  const workThrough = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [index, item] = next;
      try {
        results[index] = await work(item);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: most }, workThrough));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results;
}
