from locust import HttpUser, task


class Visitor(HttpUser):
    @task
    def ticks(self) -> None:
        self.client.get("/ticks")
