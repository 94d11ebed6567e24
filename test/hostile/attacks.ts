import { amplifiedBodies, amplifiedBodiesWithMasking } from './attack-amplified.ts';
import { expensiveDefinitions } from './attack-definitions.ts';
import { floodOfChanges, floodOfLists, floodOfSpans } from './attack-floods.ts';
import { manyApplications } from './attack-organisation.ts';
import { slowMasking } from './attack-masking.ts';
import { slowReaders } from './attack-slow-readers.ts';
import {
  halfOpen,
  heldUploads,
  idleSockets,
  oneByteChunks,
  slowBodies,
  slowHeaders,
} from './attack-slow-senders.ts';
import type { Target } from './target.ts';

/**
 * Attacks the server until `end`, as the application of `target`, whose organisation is not that of the neighbour. Calls `begun` when it is in progress. Returns what it
 * did, in a few words.
 */
export type Attack = (target: Target, begun: () => void, end: AbortSignal) => Promise<string>;

export const ATTACKS = {
  'slow headers': slowHeaders,
  'slow bodies': slowBodies,
  'one-byte chunks': oneByteChunks,
  'held uploads': heldUploads,
  'idle sockets': idleSockets,
  'half-open requests': halfOpen,
  'slow readers': slowReaders,
  'flood of spans': floodOfSpans,
  'amplified bodies': amplifiedBodies,
  'slow masking': slowMasking,
  'amplified bodies with masking rules': amplifiedBodiesWithMasking,
  'many applications': manyApplications,
  'flood of lists': floodOfLists,
  'flood of changes': floodOfChanges,
  // Last: its tests are still judged when it is over.
  'expensive rules': expensiveDefinitions,
} as const satisfies Record<string, Attack>;

/** Left out of CI: the first waits minutes for the time-outs of the server, the second is much like idle sockets. */
const LONG: readonly AttackName[] = ['half-open requests', 'slow headers'];
export const QUICK_ATTACKS = (Object.keys(ATTACKS) as AttackName[]).filter((name) => !LONG.includes(name));

export type AttackName = keyof typeof ATTACKS;
