import { messageOf } from "./errors.ts";

/** Meanings of the system's own error codes. */
const meanings: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "a file may not grow so large here",
  EROFS: "the file system can only be read",
  EACCES: "this user may not do that",
  EPERM: "this user may not do that",
  EIO: "the disk has a fault",
  EMFILE: "no more files may be opened",
  ENFILE: "no more files may be opened on this machine",
  ENOMEM: "there is no memory left",
  EAGAIN: "no more processes may be started",
};

/** A sentence on the machine, when the machine is why something failed: not our fault, and not the app's. */
export function machineFault(error: unknown): string | undefined {
  // Without a working folder no path can be resolved.
  if (error instanceof Error && /\buv_cwd\b/.test(error.message))
    return "the working folder is gone; change to one that exists";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  return meaning === undefined ? undefined : `${meaning} (${messageOf(error)})`;
}
