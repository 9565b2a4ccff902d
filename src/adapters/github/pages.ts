import * as z from "zod";
import { ask, type Client } from "./client.ts";
import { GitHubFailure } from "./request-failure.ts";

/** GitHub closes a conversation at 2,500 comments. */
const mostPages = 100;
const perPage = 100;

/**
 * A GitHub list, page after page. Pages are asked for by number and end with one that brings nothing new: a link to the
 * next page may point to itself, or to another server. A list without end rejects with `GitHubFailure`, too.
 *
 * @param listOf schema of one page
 */
export async function* pagesOf<T extends { readonly id: number }>(
  client: Client,
  { route, parameters, listOf }: ListOptions<T>,
): AsyncGenerator<readonly T[]> {
  const seen = new Set<number>();
  for (let page = 1; page <= mostPages; page++) {
    const { data, headers } = await ask(client, listOf, route, {
      ...parameters,
      per_page: perPage,
      ...(page > 1 && { page }),
    });
    const fresh = data.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    yield fresh;
    if (fresh.length === 0 || !hasNext(headers["link"])) return;
  }
  throw new GitHubFailure(`\`${route}\` has more than ${mostPages} pages`, undefined);
}

interface ListOptions<T> {
  readonly route: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly listOf: z.ZodType<readonly T[]>;
}

function hasNext(link: unknown): boolean {
  return /;\s*rel="?next"?/.test(z.string().safeParse(link).data ?? "");
}
