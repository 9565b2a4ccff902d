/** Addresses that a script has in its text instead of the app's. */

const address = /\b(?:https?|wss?):\/\/((?:[\w-]+\.)*[\w-]+(?::\d{1,5})?)(?=[/"'`?#\s\\]|$)/g;

/** What a script must read instead. */
const remedies = {
  k6: "take the address from `__ENV.BASE_URL`, or set the script's own variable to `{base-url}` in `script-env`",
  locust: 'give the client a path (`self.client.get("/items")`), or take the address from `self.host`',
} as const;

type Tool = keyof typeof remedies;

/** Hosts to which a script sends all requests whatever the app's address is; empty if unknown. */
export function fixedHosts(text: string, tool: Tool, variables: readonly string[]): string[] {
  const code = withoutComments(text, tool);
  const isFree =
    tool === "k6"
      ? /BASE_URL|__ENV\s*\[|from\s+["']\.|require\(\s*["']\./.test(code) ||
        variables.some((name) => code.includes(name))
      : !/\bclient\.\w+\(\s*[rbfu]?["']https?:\/\//.test(code) ||
        /\bclient\.\w+\(\s*[rbfu]?["'](?!https?:)/.test(code);
  return isFree ? [] : hostsIn(code);
}

export function otherHostsWords(hosts: readonly string[], tool: Tool): string {
  const [first = "another host", ...others] = hosts;
  const which = others.length === 0 ? "which is" : "which are";
  return `requests ${[first, ...others].slice(0, 5).join(", ")}, ${which} not the app under test: ${remedies[tool]}`;
}

function hostsIn(code: string): string[] {
  return [...new Set([...code.matchAll(address)].flatMap(([, host]) => host ?? []))];
}

/** Addresses of the modules that a k6 script imports from other hosts, as far as its text has them. */
export function remoteModulesIn(text: string): string[] {
  const code = withoutRemarks(text);
  const imported = /^[ \t]*(?:import|export)\b[^;\n]{0,2000}?["'`](https?:\/\/[^"'`\s]{1,300})/gm;
  const required = /require\(\s*["'](https?:\/\/[^"'\s]{1,300})["']\s*\)/g;
  return [imported, required].flatMap((each) => [...code.matchAll(each)].flatMap(([, found]) => found ?? []));
}

function withoutRemarks(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, "").replaceAll(/(^|\s)\/\/.*$/gm, "");
}

/** Modules that are imported from elsewhere are no requests. */
function withoutComments(text: string, tool: Tool): string {
  if (tool === "locust") return text.replaceAll(/(^|\s)#.*$/gm, "");
  return withoutRemarks(text)
    .replaceAll(/^[ \t]*(?:import|export)\b[^;\n]*["'`]https?:\/\/.*$/gm, "")
    .replaceAll(/require\(\s*["']https?:\/\/[^"']*["']\s*\)/g, "");
}

/** The host of an address that is not the app's; `undefined`: it is the app's, or no address. */
export function hostElsewhere(url: string, baseUrl: string): string | undefined {
  const [, host] = /^(?:https?|wss?):\/\/([^/?#\s]{1,100})/.exec(url) ?? [];
  return host === undefined || host === baseUrl.replace(/^https?:\/\//, "") ? undefined : host;
}

/** What may help a request, e.g. `GET undefined/items`, that was answered so. */
export function statusRemedy(status: string, request = ""): string {
  if (/ (?:\w+:\/\/)?(?:undefined|null)\b/.test(request))
    return "the script builds its address from a variable that is not set: set it to `{base-url}` in `script-env`";
  if (/^40[45]/.test(status)) return "correct its path or its method, or seed what it looks for";
  if (/^40[13]/.test(status)) return "give the script its credentials with `script-env`";
  if (/^4/.test(status)) return "correct its body or its headers";
  if (/^5/.test(status)) return "the app's log says why";
  return "see how the script judges it";
}
