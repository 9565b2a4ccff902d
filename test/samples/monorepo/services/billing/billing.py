import os

import psycopg
from fastapi import FastAPI

app = FastAPI(title="Billing")


@app.get("/invoices/{invoice_id}")
def read_invoice(invoice_id: int) -> dict[str, int]:
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        query = "SELECT cents FROM invoice WHERE invoice_id = %s"
        row = connection.execute(query, [invoice_id]).fetchone()
    return {"invoice_id": invoice_id, "cents": row[0] if row else 0}
