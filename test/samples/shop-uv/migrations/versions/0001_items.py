"""Items."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "item",
        sa.Column("item_id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("price_cents", sa.Integer, nullable=False),
        sa.Column("tag", sa.Uuid, server_default=sa.text("uuid_generate_v4()"), nullable=False),
    )
