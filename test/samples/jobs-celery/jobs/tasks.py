import os

from celery import Celery
from redis import Redis

url = os.environ["REDIS_URL"]
celery = Celery("jobs", broker=url)
redis = Redis.from_url(url, decode_responses=True)


@celery.task(ignore_result=True)
def tally(word: str) -> None:
    redis.hincrby("tallies", word, sum(map(ord, word)))
