export { readZipDocuments } from "./github/archive.ts";
export { openForge, openPosting } from "./open-forge.ts";
