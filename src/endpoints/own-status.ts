import { jsonOf } from "../text/json.ts";
import type { Reply } from "./dry-request.ts";
import { memberOf } from "./plain-values.ts";

/** An app that answers its errors with HTTP 200 has the status in its JSON: `{"code": 401, "msg": "log in first"}`. */
export function withOwnStatus(reply: Reply): Reply {
  if (reply.status >= 300) return reply;
  const body = jsonOf(reply.body);
  const hasMessage = ["msg", "message", "detail", "error"].some(
    (name) => typeof memberOf(body, name) === "string",
  );
  if (!hasMessage) return reply;
  const codes = ["code", "status", "status_code", "statusCode"].map((name) => memberOf(body, name));
  const own = codes.find((code) => typeof code === "number" && code >= 400 && code < 600);
  if (typeof own === "number") return { ...reply, status: own };
  return memberOf(body, "success") === false ? { ...reply, status: 400 } : reply;
}
