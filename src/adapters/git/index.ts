export { isLacking } from "./base-files.ts";
export { openBase } from "./base-source.ts";
export { changesSince, findFile } from "./changes.ts";
export { openCommitRange } from "./commit-range.ts";
export { committedEnvironment } from "./environment-files.ts";
export { readHistoryAtRef } from "./history-at-ref.ts";
export { copyApp } from "./own-copy.ts";
export { changedOn, commitOf } from "./repository.ts";
export { refuseStoredCredentials } from "./stored-credentials.ts";
