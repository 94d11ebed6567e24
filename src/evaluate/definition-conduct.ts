import { sha256Hex } from '../runtime/sha256.ts';
import type { AppliedDefinition } from './evaluator.ts';

const HOUR_MS = 3_600_000;
/** Faults within an hour after which a definition is suspended. */
const MAX_FAULTS = 3;
/**
 * Definitions of an application that delayed others within an hour, after which none of its definitions counts as
 * quick.
 */
const MAX_HELD_UP = 5;
/** Most definitions and applications with a record; the one used least recently is dropped first. */
const MAX_KEPT = 1_000;

const NEVER = Number.NEGATIVE_INFINITY;

interface Conduct {
  /** Time when it was last slow. */
  slowAt: number;
  /** Time when its last faults occurred, oldest first; MAX_FAULTS at most. */
  faults: number[];
}

/**
 * Records which definitions were slow, timed out or ended their thread. A record belongs to one version of a
 * definition, so a new version starts without one. The checks of each example have a record of their own, so that those of one do not
 * suspend the definition for the others. Records are kept for at most an hour, in memory only. All times
 * are milliseconds of a monotonic clock.
 */
export class DefinitionConduct {
  private readonly definitions = new Map<string, Conduct>();
  /** Times when definitions of an application last delayed others, oldest first. */
  private readonly heldUp = new Map<number, number[]>();
  private readonly elapsed: () => number;

  constructor(elapsed: () => number) {
    this.elapsed = elapsed;
  }

  /**
   * Reports whether the definition was slow within the last hour, or so many definitions of its application were slow
   * that it is likely to be.
   */
  isSlow(application: number, definition: AppliedDefinition): boolean {
    const since = this.elapsed() - HOUR_MS;
    const times = this.heldUp.get(application) ?? [];
    if (times.length >= MAX_HELD_UP && (times[0] ?? 0) > since) return true;
    return keysOf(application, definition).some(
      (key) => (this.definitions.get(key)?.slowAt ?? NEVER) > since,
    );
  }

  noteSlow(application: number, definition: AppliedDefinition, isOfExample = false): void {
    this.conductOf(application, definition, isOfExample).slowAt = this.elapsed();
  }

  /** Counts a run that was ended because it delayed quick definitions. */
  noteHeldUp(application: number, definition: AppliedDefinition, isOfExample = false): void {
    this.noteSlow(application, definition, isOfExample);
    const times = [...(this.heldUp.get(application) ?? []), this.elapsed()].slice(-MAX_HELD_UP);
    this.heldUp.delete(application);
    dropOldest(this.heldUp);
    this.heldUp.set(application, times);
  }

  /** Counts a run that timed out or ended its thread. `isOfExample`: while it ran the checks of the example. */
  noteFault(application: number, definition: AppliedDefinition, isOfExample = false): void {
    const conduct = this.conductOf(application, definition, isOfExample);
    conduct.slowAt = this.elapsed();
    conduct.faults = [...conduct.faults, this.elapsed()].slice(-MAX_FAULTS);
  }

  /** Returns the time until which the definition, or its checks of this example, are suspended; null when it may run. */
  suspendedUntil(application: number, definition: AppliedDefinition): number | null {
    for (const key of keysOf(application, definition)) {
      const conduct = this.definitions.get(key);
      const until = conduct ? this.endOf(conduct) : null;
      if (until !== null) return until;
    }
    return null;
  }

  /** Counts the suspended definitions, and those of single examples. */
  suspended(): number {
    return [...this.definitions.values()].filter((conduct) => this.endOf(conduct) !== null).length;
  }

  /** A suspension ends when its first fault is an hour old; one more fault then suspends the definition again. */
  private endOf({ faults }: Conduct): number | null {
    const [first] = faults;
    if (first === undefined || faults.length < MAX_FAULTS) return null;
    return first + HOUR_MS > this.elapsed() ? first + HOUR_MS : null;
  }

  private conductOf(application: number, definition: AppliedDefinition, isOfExample: boolean): Conduct {
    const keys = keysOf(application, definition);
    const key = (isOfExample && keys[1]) || keys[0];
    const conduct = this.definitions.get(key) ?? { slowAt: NEVER, faults: [] };
    this.definitions.delete(key);
    dropOldest(this.definitions);
    this.definitions.set(key, conduct);
    return conduct;
  }
}

/** Drops the least recently used entry of a full map. */
function dropOldest<Key>(map: Map<Key, unknown>): void {
  for (const oldest of map.keys()) {
    if (map.size < MAX_KEPT) return;
    map.delete(oldest);
  }
}

/** Hashes of checks that were computed: one object is looked up several times. */
const hashes = new WeakMap<object, string>();

function hashOf(checks: object): string {
  const hash = hashes.get(checks) ?? sha256Hex(JSON.stringify(checks));
  hashes.set(checks, hash);
  return hash;
}

/** Returns the key of the record of a definition, and that of its checks of an example. */
function keysOf(
  application: number,
  { definitionId, version, type, checks }: AppliedDefinition,
): [string, ...string[]] {
  const key = `${application} ${definitionId} ${version} ${type}`;
  return typeof checks === 'object' && checks !== null ? [key, `${key} ${hashOf(checks)}`] : [key];
}

/**
 * Explains why a suspended definition fails and what ends the suspension. `until` is in Unix milliseconds; `isOfExample`: only the
 * checks of the example are suspended.
 */
export function suspendedReason(
  { name, version }: AppliedDefinition,
  until: number,
  isOfExample: boolean,
): string {
  const definition = `The definition ${JSON.stringify(name.slice(0, 100))} (version ${version})`;
  const end = new Date(until).toISOString();
  const why = `timed out or ended its thread ${MAX_FAULTS} times within an hour.`;
  return isOfExample
    ? `${definition} is suspended until ${end} for this example: with its assertions, it ${why} Simplify the regular expressions or JSON Schemas of the example; a change of its assertions ends the suspension at once.`
    : `${definition} is suspended until ${end}: it ${why} Simplify its regular expressions or JSON Schemas, or check fewer texts; a new version of the definition ends the suspension at once.`;
}
