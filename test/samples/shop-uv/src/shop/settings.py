from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="SHOP_")

    database_url: str
    secret_key: str
    page_size: int = 20


settings = Settings()
