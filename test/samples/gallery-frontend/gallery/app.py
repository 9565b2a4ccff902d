import os

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from psycopg import connect

# As its image has it: PYTHONPATH names this folder, too.
from views.health import router

if os.environ["GALLERY_PRODUCTION"] != "true":
    raise RuntimeError("this app has no other mode")
user, password = os.environ["DATABASE_CREDENTIALS"].split(":")
address = {
    "host": os.environ["DATABASE_HOSTNAME"],
    "port": os.environ["DATABASE_PORT"],
    "dbname": os.environ["DATABASE_NAME"],
    "user": user,
    "password": password,
}

app = FastAPI()
app.include_router(router)


@app.get("/api/pictures")
def pictures() -> list[str]:
    with connect(**address) as connection:
        return [title for (title,) in connection.execute("SELECT title FROM picture ORDER BY title")]


# What another tool builds, and is not in the repository: the first page fails.
app.mount("/", StaticFiles(directory="frontend", html=True, check_dir=False))
