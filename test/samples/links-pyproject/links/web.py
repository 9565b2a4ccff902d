import os

from fastapi import FastAPI

targets = {"docs": "https://example.com/docs", "blog": "https://example.com/blog"}
app = FastAPI()
token = os.environ["LINKS_ADMIN_TOKEN"]


@app.get("/links")
async def list_links(prefix: str = "") -> dict[str, str]:
    return {name: url for name, url in targets.items() if name.startswith(prefix)}


@app.delete("/links/{name}", status_code=204)
async def remove_link(name: str, given: str) -> None:
    if given == token:
        targets.pop(name, None)
