import { totalmem } from "node:os";

const mebibyte = 1024 * 1024;
const largestBuffersMiB = 1_024;
const smallestBuffersMiB = 32;

/**
 * Settings for disposable data, and for figures that repeat. Settings that affect query plans and the work of a
 * statement (`work_mem`, costs, parallel workers) keep their defaults, so that plans match those of an ordinary server.
 */
export function serverSettings(options: {
  readonly port: number;
  readonly withStatistics: boolean;
}): Record<string, string> {
  return {
    listen_addresses: "127.0.0.1",
    port: String(options.port),
    unix_socket_directories: "",
    max_connections: "300", // workers x pool size, of two arms
    shared_buffers: `${sharedBuffersMiB()}MB`,

    // A crash may lose everything: the run is over then anyway.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    wal_level: "minimal",
    max_wal_senders: "0",
    restart_after_crash: "off", // a crash ends the run at once, instead of showing as slow or failing requests

    // Checkpoints and autovacuum begin at times of their own and would slow down one arm's turn. Copies live for
    // minutes and start vacuumed; an autovacuum worker in the template would also make a copy wait.
    checkpoint_timeout: "1h",
    max_wal_size: "2GB",
    autovacuum: "off",

    wal_init_zero: "off", // saves writing each new log file twice
    maintenance_work_mem: "256MB", // building indexes when seeding
    jit: "off", // compiles per connection once an estimate passes a threshold: a jump of many ms between two like queries
    timezone: "UTC",
    log_min_error_statement: "panic", // otherwise a failed seed file fills the log with all of its text
    ...(options.withStatistics
      ? {
          shared_preload_libraries: "pg_stat_statements",
          "pg_stat_statements.max": "10000",
          "pg_stat_statements.save": "off",
        }
      : {}),
  };
}

/** A quarter of the memory that this machine or container has. */
function sharedBuffersMiB(): number {
  const limit = process.constrainedMemory(); // 0, or larger than the memory, when there is none
  const memoryBytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const quarter = Math.floor(memoryBytes / 4 / mebibyte);
  return Math.max(smallestBuffersMiB, Math.min(largestBuffersMiB, quarter));
}
