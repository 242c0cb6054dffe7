/** What the kernel counts for a process (`proc_pid_stat(5)`, `proc_pid_io(5)`). Works on Linux only. */
export interface ProcessUsage {
  /** CPU time of all its threads, in user and kernel mode. */
  cpuSeconds: number;
  /** Bytes of the pages that it changed in files on a disk. */
  writtenBytes: number;
  /** Resident memory in bytes. */
  residentBytes: number;
}

/** The unit of the kernel's CPU times; 100 per second on every architecture that Deno supports. */
const TICKS_PER_SECOND = 100;

export async function usageOf(pid: number): Promise<ProcessUsage> {
  const read = (file: string) => Deno.readTextFile(`/proc/${pid}/${file}`);
  const [stat, io, status] = await Promise.all([read("stat"), read("io"), read("status")]);
  // The second field is the program's name, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [fields[11], fields[12]].map(Number) as [number, number];
  return {
    cpuSeconds: (user + system) / TICKS_PER_SECOND,
    writtenBytes: Number(/^write_bytes: (\d+)$/m.exec(io)?.[1]),
    residentBytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024,
  };
}
