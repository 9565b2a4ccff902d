export { upsertComment } from "./comment.ts";
export { readZipDocuments } from "./github/archive.ts";
export { createComments } from "./github/comments.ts";
export { createGitHubRun, poster } from "./github/measured-run.ts";
export { openForge } from "./open-forge.ts";
