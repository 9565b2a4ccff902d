from starlette.config import Config

config = Config()

DATABASE_URL: str = config("DATABASE_URL", cast=str)
TITLE: str = config("DIARY_TITLE", cast=str)
ADMIN_USER: str = config(
    "ADMIN_USER",
    default="admin",
)
ADMIN_PASSWORD: str = config("ADMIN_PASSWORD", default="of the diary")
