/** The port that our server listens on. A URL leaves out 80, the default of `http:`. */
export function portOf(baseUrl: string): number {
  return Number(new URL(baseUrl).port || 80);
}
