/** Servers that are known by name, each with its command. Each must be among the app's requirements. */
export const serverPresets: Readonly<Record<string, string>> = {
  uvicorn: "uvicorn {app} --host {host} --port {port} --workers {workers} --no-access-log",
  gunicorn:
    "gunicorn {app} --bind {host}:{port} --workers {workers} --worker-class uvicorn_worker.UvicornWorker",
  hypercorn: "hypercorn {app} --bind {host}:{port} --workers {workers}",
  granian: "granian {app} --interface asgi --host {host} --port {port} --workers {workers}",
  fastapi: "fastapi run --entrypoint {app} --host {host} --port {port} --workers {workers}",
};

/** The command for a name. Any other text is a command already. */
export function serverTemplateOf(text: string): string {
  const name = text.trim();
  return Object.hasOwn(serverPresets, name) ? (serverPresets[name] ?? text) : text;
}
