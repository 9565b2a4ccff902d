import http from "k6/http";

export const options = { vus: 2, duration: "5s" };

export default function () {
  http.get(`${__ENV.BASE_URL}/ticks`);
}
