/** Text as a part of a URL. URLs cannot hold half of a surrogate pair, so it becomes the replacement character. */
export function urlPart(text: string | number): string {
  return encodeURIComponent(String(text).replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}
