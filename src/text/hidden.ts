/** A text without secrets, in any spelling of JSON, URLs or forms. */
export function hidden(text: string, secrets: Iterable<string>): string {
  return [...secrets]
    .flatMap(spellings)
    .toSorted((a, b) => b.length - a.length) // a secret may contain a shorter one
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}

function spellings(secret: string): string[] {
  const inUrl = encodeURIComponent(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    ...new Set([secret, inUrl, inUrl.replaceAll("%20", "+"), inJson, JSON.stringify(inJson).slice(1, -1)]),
  ];
}
