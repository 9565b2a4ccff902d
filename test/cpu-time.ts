/** Milliseconds of CPU time that this process has used: unlike the clock, it does not count what others use meanwhile. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
