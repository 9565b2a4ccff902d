export { findRedisProgram, type RunningRedis, startRedis } from "./redis-server.ts";
