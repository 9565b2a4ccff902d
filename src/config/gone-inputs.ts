/** Inputs of earlier versions, each with what takes its place. */
const gone: Readonly<Record<string, string>> = {
  "redis-env":
    'is now a part of `services`: write services: { redis: { app-env: { REDIS_URL: "{url}" } } } in the configuration file (docs/services.md)',
};

/** Where an input of an earlier version went, as the end of a sentence; `undefined`: there never was one. */
export function goneInput(name: string): string | undefined {
  return Object.hasOwn(gone, name) ? gone[name] : undefined;
}
