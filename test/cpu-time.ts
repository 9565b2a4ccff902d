/** Milliseconds of CPU time that this process has used: unlike the clock, it leaves out other processes' work. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
