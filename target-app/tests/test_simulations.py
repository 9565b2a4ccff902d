import pytest
from fastapi.testclient import TestClient

from app.simulations import fibonacci
from tests.conftest import MakeClient

PATHS = ["/sync_simulation", "/async_simulation", "/async_simulation_to_thread"]

NOTHING = {
    "total_qtd": 0,
    "fib": 0,
    "products": {"order_id": [], "product_id": [], "title": [], "quantity": [], "unit_price": []},
    "all_user_orders": {"order_id": [], "status": [], "created_at": [], "product_id": [], "quantity": []},
}


@pytest.mark.parametrize("path", PATHS)
def test_gathers_what_a_user_bought(client: TestClient, path: str) -> None:
    reply = client.get(path, params={"user_id": 1})
    assert reply.status_code == 200
    found = reply.json()
    products, orders = found["products"], found["all_user_orders"]
    assert (found["total_qtd"], found["fib"]) == (18, 2584)
    assert sum(products["quantity"]) == 18
    assert sorted(products["product_id"]) == sorted(filter(None, orders["product_id"]))
    assert {len(column) for column in products.values()} == {7}
    assert {len(column) for column in orders.values()} == {12}
    first = products["product_id"].index(1)
    assert {name: column[first] for name, column in products.items()} == {
        "order_id": 1,
        "product_id": 1,
        "title": "Alpha Alpha Alpha",
        "quantity": 1,
        "unit_price": 0.01,
    }


@pytest.mark.parametrize("path", PATHS)
def test_a_user_may_have_orders_without_items(client: TestClient, path: str) -> None:
    found = client.get(path, params={"user_id": 7}).json()
    orders = found["all_user_orders"]
    assert (found["total_qtd"], found["products"]) == (0, NOTHING["products"])
    assert (len(orders["order_id"]), orders["quantity"]) == (5, [None] * 5)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("query", ["", "?user_id=821970", "?user_id=0", "?user_id=-1"])
def test_an_unknown_user_bought_nothing(client: TestClient, path: str, query: str) -> None:
    reply = client.get(path + query)
    assert (reply.status_code, reply.json()) == (200, NOTHING)


@pytest.mark.parametrize("path", PATHS)
def test_depth_by_environment(make_client: MakeClient, path: str) -> None:
    # A pool of one: neither query may wait for a connection that the other holds on to.
    client = make_client(fib=10, pool_size=1)
    assert client.get(path, params={"user_id": 1}).json()["fib"] == 55


@pytest.mark.parametrize("path", PATHS)
def test_refuses_what_is_no_id(client: TestClient, path: str) -> None:
    assert client.get(path, params={"user_id": 2**63}).status_code == 422


@pytest.mark.parametrize(("n", "value"), [(-1, 0), (0, 0), (1, 1), (2, 1), (15, 610), (20, 6765)])
def test_fibonacci(n: int, value: int) -> None:
    assert fibonacci(n) == value
