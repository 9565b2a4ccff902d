export { readAcceptances, readMergedAcceptances } from "./acceptances.ts";
export { readZipDocuments } from "./archive.ts";
export { checkCommit } from "./check-run.ts";
export { upsertComment } from "./comment.ts";
export { createGitHub } from "./comment-api.ts";
export { noteOnMergeRequest } from "./gitlab/merge-request-note.ts";
export { keepHistory } from "./history-branch.ts";
export { createGitHubRun } from "./measured-run.ts";
export { commentOnRun, type ReportToComment } from "./run-comment.ts";
