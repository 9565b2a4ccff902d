"""The first try, which nobody removed.

Create Date: 2024-01-31 10:00:00
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table("posts", sa.Column("id", sa.Integer, primary_key=True))


def downgrade() -> None:
    op.drop_table("posts")
