import { check } from "k6";
import http from "k6/http";

const address = __ENV.BASE_URL || "http://127.0.0.1:8000";

export const options = {
  scenarios: {
    browse: { executor: "constant-vus", exec: "browse", vus: 3, duration: "5s" },
    book: { executor: "constant-vus", exec: "book", vus: 1, duration: "5s" },
  },
  thresholds: { checks: ["rate>0.99"] },
};

export function browse() {
  http.get(`${address}/tours`);
  const number = 1 + (__ITER % 50);
  const reply = http.get(`${address}/tours/${number}`, { tags: { name: "one tour" } });
  check(reply, { "has its seats": ({ status, body }) => status === 200 && body.includes("seats") });
}

export function book() {
  const headers = { "Content-Type": "application/json" };
  const reply = http.post(`${address}/bookings`, JSON.stringify({ tour: 7, seats: 2 }), { headers });
  check(reply, { "is booked": ({ status }) => status === 201 });
}
