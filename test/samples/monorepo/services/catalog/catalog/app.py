from fastapi import FastAPI

app = FastAPI(title="Catalog")


@app.get("/products")
async def products() -> list[str]:
    return ["chair", "table"]
