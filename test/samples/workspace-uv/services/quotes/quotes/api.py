"""Says what things cost; the sum is made by another project of the workspace."""

from fastapi import FastAPI

from pricing import price_cents

app = FastAPI(title="Quotes")


@app.get("/quotes/{pieces}")
def read_quote(pieces: int) -> dict[str, int]:
    return {"pieces": pieces, "cents": price_cents(pieces)}


@app.get("/discounts")
def list_discounts() -> list[dict[str, int]]:
    return [{"from": count, "cents": price_cents(count)} for count in (1, 10, 100)]
