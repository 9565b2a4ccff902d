/** Text as a part of a URL. Half of a surrogate pair, which URLs cannot hold, becomes the sign for what is no character. */
export function urlPart(text: string | number): string {
  return encodeURIComponent(String(text).replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}
