import * as z from "zod";
import { type Labelling, type Remark, remarksOfLabels } from "../../../forge/acceptance.ts";
import { defined } from "../../../lists/defined.ts";
import { isAnswer } from "../failure.ts";
import type { GitHubClient } from "./client.ts";

const userSchema = z.object({ login: z.string(), type: z.string().optional() }).nullish(); // null: the account was deleted
const timeSchema = z.iso.datetime({ offset: true });
const idSchema = z.int().positive();
const shared = {
  ...{ id: idSchema, html_url: z.string(), body: z.string().nullish(), user: userSchema },
  author_association: z.string().optional(),
};
const commentSchema = z.object({ ...shared, created_at: timeSchema, updated_at: timeSchema.optional() });
const reviewSchema = z.object({
  ...shared,
  commit_id: z.string().nullish(), // null: the commit is gone
  submitted_at: timeSchema.optional(), // absent: a draft of the token's own
});
/** The only events below a pull request that are read: those of labels. */
const eventSchema = z.object({
  id: idSchema,
  event: z.string(),
  created_at: timeSchema,
  actor: userSchema,
  label: z.object({ name: z.string() }).nullish(),
});
const permissionSchema = z.object({ permission: z.string() });

/** Everything that people wrote below a pull request: comments first, then reviews, then labels that are on. */
export async function remarksBelow(
  client: GitHubClient,
  pullNumber: number,
  repositoryUrl: string,
): Promise<readonly Remark[]> {
  const all = async <T extends { id: number }>(schema: z.ZodType<T>, list: string, at: object) => {
    const found: T[] = [];
    const route = `GET /repos/{owner}/{repo}/${list}`;
    for await (const page of client.pages(z.array(schema), route, { ...at })) found.push(...page);
    return found;
  };
  const issue = { issue_number: pullNumber };
  const comments = await all(commentSchema, "issues/{issue_number}/comments", issue);
  const reviews = await all(reviewSchema, "pulls/{pull_number}/reviews", { pull_number: pullNumber });
  const events = await all(eventSchema, "issues/{issue_number}/events", issue).catch((error: unknown) => {
    // The forge has no such list, or does not show it to this token: comments and reviews are worth having.
    if (isAnswer(error, 403, 404)) return [];
    throw error;
  });
  return [
    ...comments.map(commentOf),
    ...reviews.flatMap((each) => reviewOf(each)),
    ...remarksOfLabels(events.flatMap((each) => labellingOf(each, `${repositoryUrl}/pull/${pullNumber}`))),
  ];
}

function commentOf(comment: z.infer<typeof commentSchema>): Remark {
  const { id, created_at: made, updated_at: changed = made } = comment;
  const editedAt = changed === made ? undefined : utc(changed);
  return { ...wordsOf(comment), id: `c${id}`, writtenAt: utc(made), ...defined({ editedAt }) };
}

/** Those who may be members come first; the rights of everybody else are requested last. */
const members = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

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
  author_association: association,
}: Pick<z.infer<typeof commentSchema>, "user" | "body" | "html_url" | "author_association">) {
  const isByMember = association === undefined ? undefined : members.has(association);
  const words = { author: user?.login ?? "", isBot: user?.type === "Bot", body: body ?? "", url };
  return { ...words, ...defined({ isByMember }) };
}

/** The role `maintain` is `write` here. Who is no collaborator, or no account, may not write. */
export async function mayWrite(client: GitHubClient, username: string): Promise<boolean> {
  const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
  try {
    const { permission } = await client.send(permissionSchema, route, { username });
    return ["admin", "write"].includes(permission);
  } catch (error) {
    if (isAnswer(error, 404)) return false;
    throw error;
  }
}

/** A time in the form that can be put in order as text. */
export function utc(time: string): string {
  return new Date(time).toISOString();
}
