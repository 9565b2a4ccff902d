// Nothing of ours is imported before this runs. Node itself would end with 1 when a file of ours is missing or cut, and
// that means "slower".
await import("./main.ts").catch((error: unknown) => {
  const [reason] = String(error).split("\n", 1);
  process.stderr.write(`a file of this program is missing or broken: ${reason}\nInstall it again.\n`);
  process.exitCode = 3;
});
