from pydantic_settings import BaseSettings
from pymongo import AsyncMongoClient


class Settings(BaseSettings):
    mongodb_url: str
    mongodb_name: str = "shelf"


settings = Settings()
books = AsyncMongoClient(settings.mongodb_url)[settings.mongodb_name]["books"]
