from alembic import context
from sqlalchemy import engine_from_config

engine = engine_from_config(context.config.get_section("alembic", {}))
with engine.connect() as connection:
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()
