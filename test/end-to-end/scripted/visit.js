import { check, group } from "k6";
import http from "k6/http";

const seconds = __ENV.LOADTEST_COMPARED === "true" ? "3s" : "10m";

export const options = {
  scenarios: {
    buyers: { executor: "constant-vus", vus: 2, duration: seconds, exec: "buy" },
    probes: {
      executor: "constant-arrival-rate",
      rate: 20,
      duration: seconds,
      preAllocatedVUs: 2,
      exec: "probe",
    },
  },
  thresholds: { http_req_failed: ["rate<0.01"] },
};

export function buy() {
  group("buy", () => {
    const reply = http.get(`${__ENV.BASE_URL}/price`);
    check(reply, { "has a price": ({ status }) => status === 200 });
  });
}

export function probe() {
  http.get(`${__ENV.BASE_URL}/health`, { tags: { name: "health" } });
}
