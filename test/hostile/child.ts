import { setPriority } from 'node:os';
import { Agent, setGlobalDispatcher } from 'undici';
import { ATTACKS, type AttackName } from './attacks.ts';
import { openNeighbour } from './neighbour.ts';
import type { Target } from './target.ts';

/**
 * The other processes of the suite: the neighbour, and each attack. Attackers have the lowest priority, as their own work
 * would be done on other machines. Ends with its parent, and by itself after ten minutes.
 */
export type Order =
  | { neighbour: Target }
  | { measure: number }
  | { attack: AttackName; target: Target }
  | { stop: true };

const LONGEST_MS = 600_000;
const KEEP_ALIVE_MS = 500;
const end = new AbortController();
const tell = (message: unknown): void => void process.send?.(message);
let measure: Awaited<ReturnType<typeof openNeighbour>> | null = null;
// Idle connections would be counted as what an attack leaves behind.
setGlobalDispatcher(new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS }));

async function follow(order: Order): Promise<void> {
  if ('neighbour' in order) {
    measure = await openNeighbour(order.neighbour);
    tell('ready');
  } else if ('measure' in order) tell(await measure?.(order.measure));
  else if ('attack' in order) {
    setPriority(19);
    tell({ did: await ATTACKS[order.attack](order.target, () => tell('begun'), end.signal) });
    process.disconnect?.();
  } else end.abort();
}

process.on('message', (order: Order) => {
  follow(order).catch((error: unknown) => {
    tell({ error: String(error) });
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
setTimeout(() => process.exit(1), LONGEST_MS).unref();
