import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { onceIdle } from './once-idle.ts';

/** Milliseconds without work after which the garbage of a start is collected. */
const IDLE_MS = 3_000;

type Collect = (options?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
let collect: Collect | null = null;

/** Collects all garbage of this thread now, for work that leaves far more garbage than V8 takes into account. */
export function collectGarbage(): void {
  collector()();
}

/**
 * Collects the garbage of the start of this thread once it is idle, and returns the memory to the system: V8 would keep the
 * large young generation that reading modules needed. Compiled code is written to the cache before, if there is one. In a
 * thread that works, this would also drop its optimized code, and requests would take longer for good (bench:ingest).
 */
export function collectAfterStart(): void {
  onceIdle(() => {
    flushCompileCache();
    collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, IDLE_MS);
}

function collector(): Collect {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}
