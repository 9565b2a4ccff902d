from locust import HttpUser, task


class Walker(HttpUser):
    place = 1

    @task(3)
    def go_on(self) -> None:
        reply = self.client.get(f"/places/{self.place}", name="/places/[place]")
        self.place = reply.json()["next"]

    @task
    def look_around(self) -> None:
        self.client.get("/places", params={"near": self.place}, name="/places")

    @task
    def keep_the_walk(self) -> None:
        self.client.post("/walks", json=[1, self.place])
