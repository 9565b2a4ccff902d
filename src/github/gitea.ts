/**
 * True for the API of Gitea and Forgejo, which has a part of GitHub's. There 404 may mean that nobody has written that
 * part, and a pull request from a fork runs only once somebody has approved it, with a token that can write.
 */
export function isGitea(apiUrl: string): boolean {
  return apiUrl.endsWith("/api/v1");
}
