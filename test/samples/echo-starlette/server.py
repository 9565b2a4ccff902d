from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


async def echo(request: Request) -> JSONResponse:
    return JSONResponse(dict(request.query_params))


async def home(_: Request) -> JSONResponse:
    return JSONResponse({"try": "/echo?a=b"})


app = Starlette(
    routes=[
        Route("/echo", echo),
        Route("/", home),
    ]
)
