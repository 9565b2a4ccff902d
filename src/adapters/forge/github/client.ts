import * as z from "zod";
import { github } from "../../../forge/github/github.ts";
import type { RepositoryName } from "../../../forge/run.ts";
import { RequestFailure } from "../failure.ts";
import { type ApiOptions, type ApiRequest, createApi } from "../requests.ts";

export interface GitHubOptions extends ApiOptions {
  readonly repository: RepositoryName;
}

type Parameters = Readonly<Record<string, string | number>>;

/** GitHub's API for one repository. Every method rejects with `RequestFailure`. */
export interface GitHubClient {
  /** Requires an answer in the form of the schema. `route` as in `GET /repos/{owner}/{repo}/pulls`. */
  send<T>(schema: z.ZodType<T>, route: string, parameters?: Parameters, more?: GitHubRequest): Promise<T>;
  /** The address of a download on another server. */
  findAddress(route: string, parameters: Parameters): Promise<string>;
  /** A list, page after page, by number: a link to the next page may point to itself, or to another server. */
  pages<T extends { readonly id: number }>(
    listOf: z.ZodType<readonly T[]>,
    route: string,
    parameters: Parameters,
  ): AsyncGenerator<readonly T[]>;
  pause(ms: number): Promise<void>;
}

type GitHubRequest = Pick<ApiRequest, "body" | "repeats">;

/** GitHub closes a conversation at 2,500 comments. */
const mostPages = 100;
const perPage = 100;

export function createClient({ repository, ...options }: GitHubOptions): GitHubClient {
  const accept = "application/vnd.github.v3+json";
  const headers = { accept, authorization: `token ${options.token}` };
  const api = createApi({ name: github.name, headers, redirect: "follow" }, options);

  /** Parameters that have no place in the route are its query. */
  function requestOf(route: string, parameters: Parameters): Pick<ApiRequest, "method" | "path" | "query"> {
    const { owner, name: repo } = repository;
    const [method = "", template = ""] = route.split(" ");
    const values = new Map(Object.entries<string | number>({ owner, repo, ...parameters }));
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ""));
    const query = Object.entries(parameters).filter(([name]) => !template.includes(`{${name}}`));
    if (query.length === 0) return { method, path };
    return { method, path, query: Object.fromEntries(query.map(([name, value]) => [name, String(value)])) };
  }

  return {
    pause: api.pause,
    send: async (schema, route, parameters = {}, more = {}) =>
      (await api.send(schema, { ...requestOf(route, parameters), ...more })).data,
    findAddress: async (route, parameters) => {
      const request = { ...requestOf(route, parameters), redirect: "manual" } as const;
      return (await api.send(z.unknown(), request)).headers["location"] ?? "";
    },
    pages: async function* (listOf, route, parameters) {
      const seen = new Set<number>();
      for (let page = 1; page <= mostPages; page++) {
        const ofPage = { ...parameters, per_page: perPage, ...(page > 1 && { page }) };
        const { data, headers } = await api.send(listOf, requestOf(route, ofPage));
        const fresh = data.filter(({ id }) => !seen.has(id));
        for (const { id } of fresh) seen.add(id);
        yield fresh;
        if (fresh.length === 0 || !/;\s*rel="?next"?/.test(headers["link"] ?? "")) return;
      }
      throw new RequestFailure(`\`${route}\` has more than ${mostPages} pages`);
    },
  };
}
