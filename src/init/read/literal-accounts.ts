import { nameOf, type ProjectFile } from "../project.ts";
import type { FirstUser } from "./variables.ts";

/** A literal that is given to a hash function, or to a member of that name. */
const password =
  /\b\w{0,40}(?:hash|crypt|passw|pwd)\w{0,40}["']?\s{0,3}[(=:]\s{0,3}(?:[\w.]{1,60}\(\s{0,3})?["']([!-~]{4,40}?)["']/gi;

/** A literal of such a member, or the first one of a row. */
const accountName =
  /\b(?:\w{0,30}user_?name|\w{0,30}e?mail|login|account)["']?\s{0,3}[=:]\s{0,3}["']([\w.@+-]{3,60})["']|\bVALUES\s{0,9}\(\s{0,40}'([\w.@+-]{3,60})'/gi;

/** Characters between both. */
const nearby = 800;
const mostAccounts = 4;
/** More of them in one file are data. */
const mostLiterals = 50;

/** Code that makes rows or starts the app, and no examples. */
const isOfRows =
  /seed|init|populate|fixture|bootstrap|start|migrat|admin|super|setup|create|main|versions\//i;
const isExample = /(?:^|\/)(?:tests?|docs|examples?|schemas?)(?:\/|\.py$)|conftest|(?:^|\/)test_|_test\.py$/;

/** What no account is called, and no password is. */
const isNoValue =
  /^\$2[aby]\$|^(?:username|email|login|password|passwd|string|text|bcrypt|sha256|utf-?8|HS256|auto)$|[{}%\\]/i;

/** Accounts that the app's own code makes, with names and passwords as literals, the nearest pairs first. */
export function literalAccounts(files: readonly ProjectFile[]): readonly FirstUser[] {
  const found = files
    .filter(({ path }) => path.endsWith(".py") && isOfRows.test(path) && !isExample.test(path))
    .flatMap(({ path, text }) => {
      const names = literals(text, accountName);
      return literals(text, password).flatMap((secret) =>
        names
          .map((name) => ({ ...name, distance: Math.abs(name.at - secret.at) }))
          .filter(({ distance }) => distance <= nearby)
          .toSorted((a, b) => a.distance - b.distance)
          .slice(0, 2)
          .map(({ value }) => ({ setting: nameOf(path), username: value, password: secret.value })),
      );
    });
  const each = new Map(
    found.map((account) => [JSON.stringify([account.username, account.password]), account]),
  );
  return [...each.values()].slice(0, mostAccounts);
}

function literals(text: string, pattern: RegExp): readonly { readonly value: string; readonly at: number }[] {
  return [...text.matchAll(pattern)].slice(0, mostLiterals).flatMap(({ 1: one, 2: other, index }) => {
    const value = one ?? other ?? "";
    return isNoValue.test(value) ? [] : [{ value, at: index }];
  });
}
