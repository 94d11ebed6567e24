import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds after which the garbage of a start is collected: by then a thread has read its modules and first rows. */
const AFTER_START_MS = 3_000;

type Collect = (options?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
let collect: Collect | null = null;

/** Collects all garbage of this thread now, for work that leaves far more garbage than V8 takes into account. */
export function collectGarbage(): void {
  collector()();
}

/**
 * Collects the garbage of the start of this thread a little later, and returns the memory to the system. Compiled code is
 * written to the cache by then, if there is one. V8 would keep the
 * large young generation that reading modules needed.
 */
export function collectAfterStart(): void {
  const late = setTimeout(() => {
    flushCompileCache();
    collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, AFTER_START_MS);
  late.unref();
}

function collector(): Collect {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}
