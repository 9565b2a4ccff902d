import * as z from "zod";
import type { Remark } from "../../github/acceptance/command.ts";
import { type Labelling, remarksOfLabels } from "../../github/acceptance/label.ts";
import { ask, type Client } from "./client.ts";
import { isAnswer } from "./comment-api.ts";
import { pagesOf } from "./pages.ts";

/** A repository, and the client that asks about it. */
export interface AskedRepository {
  readonly client: Client;
  readonly owner: string;
  readonly repo: string;
  /** e.g. `https://github.com`. */
  readonly serverUrl: string;
}

const shared = {
  id: z.int().positive(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(), // null: the account was deleted
};
const commentSchema = z.object({ ...shared, created_at: z.iso.datetime({ offset: true }) });
const reviewSchema = z.object({
  ...shared,
  commit_id: z.string().nullish(), // null: the commit is gone
  submitted_at: z.iso.datetime({ offset: true }).optional(), // absent: a draft of the token's own
});
/** Of all events below a pull request only those of labels are read. */
const eventSchema = z.object({
  id: z.int().positive(),
  event: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  actor: z.object({ login: z.string(), type: z.string().optional() }).nullish(), // null: the account was deleted
  label: z.object({ name: z.string() }).nullish(),
});
const permissionSchema = z.object({ permission: z.string() });

/** Everything that people wrote below a pull request: comments first, then reviews, then labels that are on. */
export async function remarksBelow(place: AskedRepository, pullNumber: number): Promise<readonly Remark[]> {
  return [
    ...(await commentsBelow(place, pullNumber)),
    ...(await reviewsOf(place, pullNumber)),
    ...remarksOfLabels(await labellingsOf(place, pullNumber)),
  ];
}

/** None where the forge has no such list, or does not show it to this token: comments and reviews are worth having. */
async function labellingsOf(
  { client, owner, repo, serverUrl }: AskedRepository,
  pullNumber: number,
): Promise<Labelling[]> {
  const found: Labelling[] = [];
  const pullUrl = `${serverUrl}/${owner}/${repo}/pull/${pullNumber}`;
  const list = {
    route: "GET /repos/{owner}/{repo}/issues/{issue_number}/events",
    parameters: { owner, repo, issue_number: pullNumber },
    listOf: z.array(eventSchema),
  };
  try {
    for await (const page of pagesOf(client, list))
      found.push(...page.flatMap((each) => labellingOf(each, pullUrl)));
  } catch (error) {
    if (!isAnswer(error, 403) && !isAnswer(error, 404)) throw error;
  }
  return found;
}

function labellingOf(
  { id, event, created_at: at, actor, label }: z.infer<typeof eventSchema>,
  pullUrl: string,
): Labelling[] {
  if (!label || (event !== "labeled" && event !== "unlabeled")) return [];
  const by = { author: actor?.login ?? "", isBot: actor?.type === "Bot" };
  return [
    { id, isOn: event === "labeled", label: label.name, ...by, url: `${pullUrl}#event-${id}`, at: utc(at) },
  ];
}

async function commentsBelow(
  { client, owner, repo }: AskedRepository,
  pullNumber: number,
): Promise<Remark[]> {
  const found: Remark[] = [];
  const list = {
    route: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    parameters: { owner, repo, issue_number: pullNumber },
    listOf: z.array(commentSchema),
  };
  for await (const page of pagesOf(client, list))
    found.push(
      ...page.map((each) => ({ ...wordsOf(each), id: `c${each.id}`, writtenAt: utc(each.created_at) })),
    );
  return found;
}

async function reviewsOf({ client, owner, repo }: AskedRepository, pullNumber: number): Promise<Remark[]> {
  const found: Remark[] = [];
  const list = {
    route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    parameters: { owner, repo, pull_number: pullNumber },
    listOf: z.array(reviewSchema),
  };
  for await (const page of pagesOf(client, list)) found.push(...page.flatMap((each) => reviewOf(each)));
  return found;
}

function reviewOf(review: z.infer<typeof reviewSchema>): Remark[] {
  const { id, submitted_at: writtenAt, commit_id: commit } = review;
  return writtenAt === undefined
    ? []
    : [{ ...wordsOf(review), id: `r${id}`, writtenAt: utc(writtenAt), commit: commit ?? "" }];
}

function wordsOf({
  user,
  body,
  html_url: url,
}: Pick<z.infer<typeof commentSchema>, "user" | "body" | "html_url">) {
  return { author: user?.login ?? "", isBot: user?.type === "Bot", body: body ?? "", url };
}

/** The role `maintain` is `write` here. Who is no collaborator, or no account, may not write. */
export async function mayWrite({ client, owner, repo }: AskedRepository, username: string): Promise<boolean> {
  const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
  try {
    const { data } = await ask(client, permissionSchema, route, { owner, repo, username });
    return ["admin", "write"].includes(data.permission);
  } catch (error) {
    if (isAnswer(error, 404)) return false;
    throw error;
  }
}

/** A time in the form that can be put in order as text. */
export function utc(time: string): string {
  return new Date(time).toISOString();
}
