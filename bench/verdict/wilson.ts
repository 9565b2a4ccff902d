/** Wilson's 95% interval of a share (Journal of the American Statistical Association 22, 1927), in words. */
export function wilsonWords(count: number, of: number): string {
  const z = 1.96;
  const middle = (count + z ** 2 / 2) / (of + z ** 2);
  const half = (z * Math.sqrt((count * (of - count)) / of + z ** 2 / 4)) / (of + z ** 2);
  const whole = (share: number) => Math.round(100 * share);
  return `${whole(Math.max(0, middle - half))} to ${whole(Math.min(1, middle + half))}%`;
}
