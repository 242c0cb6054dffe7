import type { Exit } from "./client/error.ts";
import type { OpenOptions } from "./client/open.ts";
import type { Service } from "./client/service.ts";
import type { Io } from "./terminal/io.ts";

/** What each group of commands receives. */
export interface Context {
  io: Io;
  /** Runs `work` on the service (running, or its database) and keeps the exit code it returns. */
  withService(
    work: (service: Service) => Promise<Exit | void>,
    options?: OpenOptions,
  ): Promise<void>;
  /** Runs `work`, which needs no service, and keeps the exit code it returns. */
  withoutService(work: () => Promise<Exit | void>): Promise<void>;
}
