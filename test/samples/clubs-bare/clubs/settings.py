import os

database_url = os.environ["DATABASE_URL"]
is_limited = os.getenv("RATE_LIMIT_ENABLED", "true") == "true"
