import type { FoundSetting, ReadVariable } from "../project.ts";

/** Ends of names of variables that hold the address of somebody else's service. */
const ending =
  /_(?:API|API_BASE|API_URL|API_BASE_URL|BASE_URL|SERVICE_URL|ENDPOINT|ENDPOINT_URL|WEBHOOK_URL|API_HOST|URL|URI)$/;

/** Addresses of the app itself, or of pages for people. */
const isOwn =
  /^(?:APP|SITE|SERVER|BACKEND|FRONTEND|FRONT_END|PUBLIC|WEB|OWN|SELF|PROJECT|DOMAIN)_|FRONTEND|CORS|ORIGIN|REDIRECT|CALLBACK|DOCS|STATIC|MEDIA|ASSET|LOGO|IMAGE|AVATAR|TERMS|HOMEPAGE|CONTACT|LICENSE|DATABASE|REDIS/;

const mostStubs = 5;

/** A stub for each HTTP service outside whose address the settings have: a load test must not load it. */
export function findStubs(variables: readonly ReadVariable[]): readonly FoundSetting[] {
  const found = variables.flatMap(({ name, path, value = "" }) => {
    const address = addressOf(name, value);
    return address === undefined ? [] : [{ name, path, address }];
  });
  const stubs = new Map<string, { readonly variables: Record<string, string>; readonly path: string }>();
  for (const { name, address } of found.slice(0, mostStubs)) {
    const path = address.pathname.replace(/\/+$/, "");
    const called = stubName(name);
    const { variables: before = {} } = stubs.get(called) ?? {};
    stubs.set(called, { variables: { ...before, [name]: `{url}${path}` }, path });
  }
  const [first] = found;
  if (first === undefined) return [];
  const hosts = [...new Set(found.map(({ address }) => address.hostname))].slice(0, mostStubs).join(", ");
  const value = Object.fromEntries(
    [...stubs].map(([called, { variables: own, path }]) => [
      called,
      { "app-env": own, routes: [{ path: `${path}/*`, delay: "50ms", body: {} }] },
    ]),
  );
  return [
    {
      key: "stubs",
      value,
      reason: `${first.path} calls other systems (${hosts}), which a load test must not load. These stubs answer instead: set the real responses and delays (docs/services.md).`,
    },
  ];
}

function addressOf(name: string, value: string): URL | undefined {
  if (!ending.test(name) || isOwn.test(name) || !/^https?:\/\/[^/]/.test(value) || !URL.canParse(value))
    return undefined;
  const address = new URL(value);
  const { hostname, pathname } = address;
  const isPublic =
    /^[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*$/.test(hostname) && !/\.(?:local|internal|localhost)$/.test(hostname);
  // Any `_URL` may be a page for people.
  const isApi = !/_UR[LI]$/.test(name) || /_(?:API|BASE|SERVICE|ENDPOINT|WEBHOOK)/.test(name);
  const looksLikeApi = /(?:^|[.-])apis?[.-]|apis\./.test(hostname) || /^\/(?:api|v\d)\b/.test(pathname);
  return isPublic && (isApi || looksLikeApi) && /^[\w./~-]*$/.test(pathname) ? address : undefined;
}

function stubName(variable: string): string {
  return variable.replace(ending, "").toLowerCase().slice(0, 40);
}
