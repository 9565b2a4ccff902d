import { InputError } from "../errors/errors.ts";

/** The secret in which the reusable workflow gets the variables of a private package index. */
const secret = "LOADTEST_PACKAGE_INDEX";
const line = /^((?:PIP|UV|POETRY|PDM)_[A-Z0-9_]{1,100})=(.*)$/;

/** Variables of a package index, one a line. Throws an `InputError` that quotes no value. */
export function packageIndexVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const lines = (environment[secret] ?? "").split("\n").map((each) => each.trim());
  const read = lines.map((each) => (each === "" ? undefined : (line.exec(each) ?? "unread")));
  const unread = read.indexOf("unread");
  if (unread >= 0)
    throw new InputError([
      `${secret}: line ${unread + 1} does not set a variable of pip, uv, Poetry or PDM, such as PIP_EXTRA_INDEX_URL=https://...`,
    ]);
  return Object.fromEntries(
    read.flatMap((each) => (Array.isArray(each) ? [[String(each[1]), String(each[2])]] : [])),
  );
}

/** Shorter ones occur in any text. */
const shortestSecret = 6;

/** What must not be shown of them: their values, and the passwords within addresses. */
export function packageIndexSecrets(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(variables)
    .flatMap((value) => [
      value,
      ...[...value.matchAll(/:\/\/[^\s/@:]*:([^\s/@]+)@/g)].map(([, password = ""]) => password),
    ])
    .filter(({ length }) => length >= shortestSecret);
}
