/** Distributions of which a web app requires one: without any, a list of requirements is not the app's whole. */
export const frameworks = ["fastapi", "starlette", "litestar", "quart", "flask", "django"] as const;
