/** Share of the time that the event loop of an idle thread may be busy. */
const IDLE_UTILIZATION = 0.05;

/** Calls `action` once, after the first `milliseconds` in which this thread had almost nothing to do. Keeps no process alive. */
export function onceIdle(action: () => void, milliseconds: number): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > IDLE_UTILIZATION) return;
    clearInterval(timer);
    action();
  }, milliseconds);
  timer.unref();
}
