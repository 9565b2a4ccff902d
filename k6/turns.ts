// Which arm has the load, for all scripts.

/** Index of the arm that has the load in a slice. Each pair of slices gives one to each arm, in random order. */
export function armOfSlice(index: number, seed: number, arms: number): number {
  if (arms === 1) return 0;
  return (index & 1) ^ (mix(seed + (index >> 1)) & 1);
}

/** A well-mixed 32-bit hash (the finaliser of MurmurHash3), so that neighbouring pairs are independent. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
