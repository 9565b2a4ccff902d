export { openBase } from "./base-source.ts";
export { changedOn } from "./changed-on.ts";
export { changesSince } from "./changes.ts";
export { committedEnvironment } from "./committed-environment.ts";
export { commitOf } from "./head-commit.ts";
export { readHistoryAtRef } from "./history-at-ref.ts";
export { copyApp } from "./own-copy.ts";
export { lookUpFile } from "./repository-file.ts";
