"""Two kinds of users, as a team writes them."""

from locust import HttpUser, constant, task


class Buyer(HttpUser):
    wait_time = constant(0)

    @task(9)
    def buy(self) -> None:
        self.client.get("/price")

    @task
    def probe(self) -> None:
        self.client.get("/health", name="health")
