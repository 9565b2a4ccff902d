"""The first tables.

Create Date: 2025-01-31 10:00:00
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "members",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("password", sa.Text),
    )
    op.create_table(
        "posts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("title", sa.Text, nullable=False, unique=True),
    )


def downgrade() -> None:
    op.drop_table("posts")
    op.drop_table("members")
