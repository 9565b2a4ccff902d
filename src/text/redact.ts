import { textOfUrlPart } from "./quoting.ts";

/** Names of variables whose value must stay secret. */
const secretName = /key|token|secret|passw|credential|dsn|auth/i;

/** The place of a key is none itself, and a failure may name it. */
const keyFile = /^[\w./-]+\.(?:pem|key|crt|pub)$/;

/** Shorter values occur in any text, and hiding them would only give them away. */
const shortestSecret = 6;

/** Hides secrets of the app's variables in its output: comments and artifacts are not masked. */
export function redact(text: string, variables: Readonly<Record<string, string>>): string {
  const secrets = Object.entries(variables).flatMap(([name, value]) => [
    ...passwordsOf(value),
    ...(secretName.test(name) && !keyFile.test(value) ? [value] : []),
  ]);
  return secrets
    .filter((secret) => secret.length >= shortestSecret)
    .toSorted((a, b) => b.length - a.length) // a secret may contain a shorter one
    .reduce((hidden, secret) => hidden.replaceAll(secret, "***"), text);
}

/** The password as written in the URL, and decoded. */
function passwordsOf(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password } = new URL(value);
  return [password, textOfUrlPart(password)];
}

/** Hides user and password in every address of a text: `https://***@index.example`. An index's token can be either. */
export function withoutLogins(text: string): string {
  return text.replaceAll(/:\/\/[^\s/@'"]{1,1000}@/g, "://***@");
}

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
