/** Milliseconds of computing that this thread spends on some work, however busy the processors are with other things. */
export function cpuMsOf(work: () => void): number {
  const since = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(since).user / 1_000;
}
