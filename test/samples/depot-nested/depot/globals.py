"""What a request shares. Add it to an app:

app = FastAPI()
app.add_middleware(Globals)
"""

from contextvars import ContextVar

counter: ContextVar[int] = ContextVar("counter", default=0)
