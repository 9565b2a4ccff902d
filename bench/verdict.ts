import { runLive } from "./verdict/live.ts";
const [kind="cpu", e="-0.1", hog="false"] = process.argv.slice(2);
const run = runLive({ kind: kind as "cpu", aimedEffect: Number(e), hog: hog==="true" }, { loopsPerRequest: 27_000 }, 0);
console.log(JSON.stringify(run));
