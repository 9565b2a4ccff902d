import type { SourceFile } from "./apps.ts";
import { names, plainAddress } from "./overruled-address.ts";

/** A literal that is an address, or a host: `"redis://redis:6379/1"`, `"amqp://u:p@mq/"`, `"cache:6379"`, `"cache"`. */
const literal =
  /(["'])([\w+.-]{1,40}:\/\/)?(?:[^/@"'\s]{0,200}@)?([\w.-]{1,253})(:\d{1,5})?(?:[/?][^"'\n]{0,500})?\1/g;
/** The key of a host that is no address: `host=`, `"host": `, `SERVER: str = `. Other words may be in any sentence. */
const namesHost = /(?:host|addr(?:ess)?|server|ur[il]|dsn|broker|backend)["']?\s*(?::\s*\w+\s*)?[=:]\s*$/i;
const readsVariable = /getenv|environ|\bconfig\(|\benv[.(]/;

/**
 * Where the app's code itself names an address that it could not reach, or should not have opened, and what to do about it.
 * `undefined`: in no line, or only as what a variable is without a value.
 */
export function addressInCode(reason: string, files: readonly SourceFile[]): string | undefined {
  for (const { path, text } of files)
    for (const [index, line] of text.split("\n").entries()) {
      const host = hostIn(line, reason);
      if (host !== undefined)
        return `${path}:${index + 1} names ${host}: let an environment variable set it, and give that in \`app-env\` or \`services\``;
    }
  return undefined;
}

function hostIn(line: string, reason: string): string | undefined {
  if (readsVariable.test(line)) return undefined;
  for (const { 2: scheme, 3: host = "", 4: port = "", index } of line.matchAll(literal)) {
    const isAddress = scheme !== undefined || port !== "" || namesHost.test(line.slice(0, index));
    // This machine has several names, and other servers.
    const known = plainAddress.test(host) ? port.slice(1) : host;
    if (isAddress && known !== "" && names(reason, known)) return `${host}${port}`;
  }
  return undefined;
}
