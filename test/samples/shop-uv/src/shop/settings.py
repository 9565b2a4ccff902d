import base64

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="SHOP_", env_file=".env")

    database_url: str
    secret_key: str
    page_size: int = 20


settings = Settings()
signing_key = base64.b64decode(settings.secret_key, validate=True)
