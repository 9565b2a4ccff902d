/** Where random cases begin: the same place in every run, or with LOADTEST_SEED a place of one's own (`random` for any). */
export function testSeed(): number {
  const given = process.env["LOADTEST_SEED"] ?? "1";
  const seed = given === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  if (!Number.isSafeInteger(seed))
    throw new Error(`LOADTEST_SEED: must be a whole number or random (got ${given})`);
  return seed;
}
