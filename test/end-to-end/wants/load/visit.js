import { check, group, sleep } from "k6";
import http from "k6/http";
import { Counter, Rate, Trend } from "k6/metrics";

const visits = new Counter("visits");
const waits = new Trend("waits_in_all", true);
const found = new Rate("found");

export const options = {
  vus: 2,
  duration: "2s",
  thresholds: {
    http_req_duration: ["p(95)<10000"],
    "http_req_duration{group:::home}": ["max<0.001"],
    visits: ["count>1"],
    checks: ["rate>0.4"],
  },
};

export default function () {
  group("home", () => {
    const reply = http.get(`${__ENV.BASE_URL}/`);
    check(reply, { "is 200, as it should": ({ status }) => status === 200, "is never": () => false });
    waits.add(reply.timings.duration);
    group("missing", () => {
      found.add(http.get(`${__ENV.BASE_URL}/nowhere`).status !== 404);
    });
  });
  visits.add(1);
  sleep(0.1);
}

// A script's own end-of-test words change nothing.
export function handleSummary() {
  return { stdout: "mine\n" };
}
