from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    guests_db_url: str = "mysql+pymysql://guests:guests@localhost:3306/guests"


settings = Settings()
