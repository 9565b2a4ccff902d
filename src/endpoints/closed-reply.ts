import type { Reply } from "./dry-request.ts";

/** FastAPI's own reply, or its error as a handler of the app prints it. */
const missesHeader = /["']loc["']:\s*[[(]["'](?:header|cookie)["']/;

/** True for 401, 403, 400 for a token or a right, or 422 for a header or cookie that is missing. */
export function isClosed({ status, body }: Reply): boolean {
  if (status === 400)
    return /token|unauthori[sz]ed|authenticat|authori[sz]ation|privilege|permission/i.test(body);
  return [401, 403].includes(status) || (status === 422 && missesHeader.test(body));
}
