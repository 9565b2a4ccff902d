"""The tables.

Create Date: 2025-01-31 10:00:00
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "guests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
    )
    op.create_table(
        "stays",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guest_id", sa.Integer, sa.ForeignKey("guests.id")),
        sa.Column("nights", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("stays")
    op.drop_table("guests")
