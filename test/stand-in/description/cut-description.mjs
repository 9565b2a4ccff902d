/** Requests of the adapter. The stand-in knows no others. */
const operations = {
  "/user": ["get"],
  "/repos/{owner}/{repo}/pulls": ["get"],
  "/repos/{owner}/{repo}/pulls/{pull_number}": ["get"],
  "/repos/{owner}/{repo}/pulls/{pull_number}/reviews": ["get", "post"],
  "/repos/{owner}/{repo}/pulls/{pull_number}/comments": ["get"],
  "/repos/{owner}/{repo}/contents/{path}": ["get"],
  "/repos/{owner}/{repo}/collaborators/{username}/permission": ["get"],
  "/repos/{owner}/{repo}/commits/{commit_sha}/pulls": ["get"],
  "/repos/{owner}/{repo}/actions/runs/{run_id}": ["get"],
  "/repos/{owner}/{repo}/actions/runs/{run_id}/artifacts": ["get"],
  "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}": ["get"],
  "/repos/{owner}/{repo}/check-runs": ["post"],
  "/repos/{owner}/{repo}/git/ref/{ref}": ["get"],
  "/repos/{owner}/{repo}/git/refs": ["post"],
  "/repos/{owner}/{repo}/git/refs/{ref}": ["patch"],
  "/repos/{owner}/{repo}/git/commits": ["post"],
  "/repos/{owner}/{repo}/git/commits/{commit_sha}": ["get"],
  "/repos/{owner}/{repo}/git/trees": ["post"],
  "/repos/{owner}/{repo}/git/trees/{tree_sha}": ["get"],
  "/repos/{owner}/{repo}/git/blobs/{file_sha}": ["get"],
  "/repos/{owner}/{repo}/issues/{issue_number}/comments": ["get", "post"],
  "/repos/{owner}/{repo}/issues/{issue_number}/events": ["get"],
  "/repos/{owner}/{repo}/issues/comments/{comment_id}": ["get", "patch", "delete"],
};

/** The stand-in fills in GitHub's own examples. */
const examples = [
  "private-user-response-with-public-profile-information",
  "pull-request",
  "pull-request-simple-items",
  "issue-comment",
  "issue-event-for-issue-items",
  "pull-request-review-items",
  "pull-request-review",
  "pull-request-review-comment-items",
  "content-file-response-if-content-is-a-file",
  "repository-collaborator-permission-response-if-user-has-admin-permissions",
  "workflow-run",
  "artifact",
  "check-run-example-of-completed-conclusion",
];

/** Keys without a meaning for validation. */
const prose = new Set([
  "description",
  "summary",
  "externalDocs",
  "example",
  "examples",
  "title",
  "tags",
  "x-github",
  "x-octokit",
  "x-github-breaking-changes",
]);

/** The operations, everything that they refer to, and the examples, without prose. */
export function cutDescription(description) {
  const paths = Object.fromEntries(
    Object.entries(operations).map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((method) => [method, withoutProse(description.paths[path][method])])),
    ]),
  );
  const components = {};
  const waiting = [paths];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const reference of referencesIn(node)) {
      const [kind, name] = reference.split("/").slice(2);
      components[kind] ??= {};
      if (components[kind][name] !== undefined) continue;
      components[kind][name] = withoutProse(description.components[kind][name]);
      waiting.push(components[kind][name]);
    }
  }
  components.examples = Object.fromEntries(
    examples.map((name) => [name, description.components.examples[name]]),
  );
  return {
    openapi: description.openapi,
    info: { version: description.info.version },
    paths,
    components: sorted(components),
  };
}

function referencesIn(node) {
  if (typeof node !== "object" || node === null) return [];
  const own = typeof node.$ref === "string" ? [node.$ref] : [];
  return [...own, ...Object.values(node).flatMap(referencesIn)];
}

/** In `properties` the keys are names of the API's own, so a field called `description` stays. */
function withoutProse(node, areNames = false) {
  if (Array.isArray(node)) return node.map((item) => withoutProse(item));
  if (typeof node !== "object" || node === null) return node;
  const hasJson = !areNames && node["application/json"] !== undefined;
  const entries = Object.entries(node).filter(
    ([key]) => areNames || (!prose.has(key) && (!hasJson || key === "application/json")),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutProse(value, key === "properties")]));
}

/** Two levels, so that the file does not change with the order of discovery. */
function sorted(components) {
  const byName = ([one], [other]) => (one < other ? -1 : 1);
  const inner = (names) => Object.fromEntries(Object.entries(names).sort(byName));
  return Object.fromEntries(
    Object.entries(components)
      .sort(byName)
      .map(([kind, names]) => [kind, inner(names)]),
  );
}
