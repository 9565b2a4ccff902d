/** The port that a server of ours listens on. A URL leaves out 80, which is what `http:` means without one. */
export function portOf(baseUrl: string): number {
  return Number(new URL(baseUrl).port || 80);
}
