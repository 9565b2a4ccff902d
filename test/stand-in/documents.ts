import { exampleOf, isObject, type JsonObject } from "./description.ts";
import type { Account, Pull, State, StoredComment } from "./state.ts";

/** GitHub's own examples, filled in with what the stand-in knows. */

const commentExample = exampleOf("issue-comment");
const pullExample = exampleOf("pull-request");
const userExample = exampleOf("private-user-response-with-public-profile-information");

export function userDocument({ login }: Account): JsonObject {
  return { ...userExample, ...named(login) };
}

export function commentDocument(comment: StoredComment, { owner, name }: State, apiUrl: string): JsonObject {
  const { id, pullNumber, login, body, createdAt, updatedAt } = comment;
  const repository = `${apiUrl}/repos/${owner}/${name}`;
  const author = isObject(commentExample["user"]) ? commentExample["user"] : {};
  return {
    ...commentExample,
    id,
    url: `${repository}/issues/comments/${id}`,
    html_url: `https://github.example/${owner}/${name}/pull/${pullNumber}#issuecomment-${id}`,
    issue_url: `${repository}/issues/${pullNumber}`,
    body,
    user: login === "" ? null : { ...author, ...named(login) }, // null: the account was deleted
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

export function pullDocument({ number, state, headSha, baseSha }: Pull): JsonObject {
  const { head, base } = pullExample;
  return {
    ...pullExample,
    number,
    state,
    head: { ...(isObject(head) ? head : {}), sha: headSha },
    base: { ...(isObject(base) ? base : {}), sha: baseSha },
    requested_teams: [], // the example's team lacks a field that the description requires
  };
}

function named(login: string): JsonObject {
  const isBot = login.endsWith("[bot]");
  return { login, type: isBot ? "Bot" : "User" };
}
