import type { Exit } from "../client/error.ts";
import type { Service } from "../client/service.ts";
import type { Io } from "./io.ts";

/** What a group of commands is added with. */
export interface Context {
  io: Io;
  /** Do something with the service, and keep what the exit code shall be. */
  withService(work: (service: Service) => Promise<Exit | void>): Promise<void>;
  /** Do something that needs none. */
  without(work: () => Promise<Exit | void>): Promise<void>;
}
