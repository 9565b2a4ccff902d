import type { Reply } from "./contract.ts";
import type { Json } from "./description.ts";

/** An error in GitHub's words. */
export function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const documentation = { documentation_url: "https://docs.github.com/rest", status: String(status) };
  return { status, headers, body: { message, ...documentation } };
}

export function reply(status: number, body: Json | undefined): Reply {
  return { status, headers: {}, body };
}
