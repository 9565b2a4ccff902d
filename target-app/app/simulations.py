"""Two queries at once, then work for the CPU: sync, async, and async with that work in a thread."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypedDict

from fastapi import APIRouter

from app.database import CurrentPools, Pools, UserId
from app.purchases import read_orders_async, read_orders_sync, read_products_async, read_products_sync
from app.settings import CurrentSettings, Settings

if TYPE_CHECKING:
    from polars import DataFrame

router = APIRouter()

# response_model=None: the reason is in sleeps.py.

# The published user exists only at scale 1; elsewhere the default gives empty frames.
PUBLISHED_USER_ID = 821970


Columns = dict[str, list[Any]]


class Simulation(TypedDict):
    """An order without items has None in the item columns."""

    total_qtd: int
    fib: int
    products: Columns
    all_user_orders: Columns


def fibonacci(n: int) -> int:
    """Recursive, as published: the work matters, not the number."""
    if n <= 0:
        return 0
    elif n == 1:
        return 1
    else:
        return fibonacci(n - 1) + fibonacci(n - 2)


def depth_of(settings: Settings, total_quantity: int) -> int:
    return min(total_quantity, 35) if settings.fib is None else settings.fib


def total_of(orders: "DataFrame") -> int:
    return int(orders["quantity"].sum())


def answer(total_quantity: int, fib: int, products: "DataFrame", orders: "DataFrame") -> Simulation:
    return {
        "total_qtd": total_quantity,
        "fib": fib,
        "products": products.to_dict(as_series=False),
        "all_user_orders": orders.to_dict(as_series=False),
    }


async def read_both(pools: Pools, user_id: int) -> tuple["DataFrame", "DataFrame"]:
    return await asyncio.gather(read_products_async(pools, user_id), read_orders_async(pools, user_id))


@router.get("/sync_simulation", response_model=None)
def simulate_sync(
    pools: CurrentPools, settings: CurrentSettings, user_id: UserId = PUBLISHED_USER_ID
) -> Simulation:
    # A new executor for each request, as published: its cost is part of the measurement.
    with ThreadPoolExecutor(max_workers=2) as executor:
        coming_products = executor.submit(read_products_sync, pools, user_id)
        coming_orders = executor.submit(read_orders_sync, pools, user_id)
        products, orders = coming_products.result(), coming_orders.result()
    total = total_of(orders)
    return answer(total, fibonacci(depth_of(settings, total)), products, orders)


@router.get("/async_simulation", response_model=None)
async def simulate_async(
    pools: CurrentPools, settings: CurrentSettings, user_id: UserId = PUBLISHED_USER_ID
) -> Simulation:
    products, orders = await read_both(pools, user_id)
    total = total_of(orders)
    return answer(total, fibonacci(depth_of(settings, total)), products, orders)


@router.get("/async_simulation_to_thread", response_model=None)
async def simulate_async_to_thread(
    pools: CurrentPools, settings: CurrentSettings, user_id: UserId = PUBLISHED_USER_ID
) -> Simulation:
    products, orders = await read_both(pools, user_id)
    total = total_of(orders)
    fib = await asyncio.create_task(asyncio.to_thread(fibonacci, depth_of(settings, total)))
    return answer(total, fib, products, orders)
