import * as z from "zod";

const words = z.string().max(200);

/** A request that is answered with another address, before the load. Foreign text. */
export const redirectSchema = z.strictObject({
  request: z.string().max(1_000),
  /** e.g. `307 to /items`; absent: this arm does not redirect, or was not requested. */
  base: words.optional(),
  head: words.optional(),
  /** Present when both arms were requested and differ. */
  isApart: z.literal(true).optional(),
});
export type Redirect = z.infer<typeof redirectSchema>;

/** One sentence: the redirect, and what to measure. */
export function redirectWords({ request, base, head, isApart }: Redirect): string {
  if (isApart)
    return `${request} answered ${base ?? "without a redirect"} in the base and ${head ?? "without a redirect"} in the head: measure the same path in both`;
  const where = head ?? base ?? "";
  return `${request} answered ${where}: ${redirectRemedy(request, where)}`;
}

/** What to change about a request that was answered so: `307 to /items`. */
export function redirectRemedy(request: string, answer: string): string {
  const place = answer.replace(/^\d+(?: to )?/, "");
  if (place === "") return "measure the address in its Location header instead";
  if (/^https:\/\/(?:127\.0\.0\.1|localhost)\b/.test(place))
    return "send the header `X-Forwarded-Proto: https`, which uvicorn trusts here, or turn this off in `app-env`";
  const isElsewhere = /^(?:https?:)?\/\//.test(place);
  return isElsewhere || request.split(" ").at(-1) === place
    ? "send the `headers`, such as `Host`, or the `login` that it expects"
    : "measure that instead";
}
