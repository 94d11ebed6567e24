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
 * definition, so a new version starts without one. Records are kept for at most an hour, in memory only. All times
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
    return (this.definitions.get(keyOf(application, definition))?.slowAt ?? NEVER) > since;
  }

  noteSlow(application: number, definition: AppliedDefinition): void {
    this.conductOf(application, definition).slowAt = this.elapsed();
  }

  /** Counts a run that was ended because it delayed quick definitions. */
  noteHeldUp(application: number, definition: AppliedDefinition): void {
    this.noteSlow(application, definition);
    const times = [...(this.heldUp.get(application) ?? []), this.elapsed()].slice(-MAX_HELD_UP);
    this.heldUp.delete(application);
    dropOldest(this.heldUp);
    this.heldUp.set(application, times);
  }

  /** Counts a run that timed out or ended its thread. */
  noteFault(application: number, definition: AppliedDefinition): void {
    const conduct = this.conductOf(application, definition);
    conduct.slowAt = this.elapsed();
    conduct.faults = [...conduct.faults, this.elapsed()].slice(-MAX_FAULTS);
  }

  /** Returns the time until which the definition is suspended; null when it may run. */
  suspendedUntil(application: number, definition: AppliedDefinition): number | null {
    const conduct = this.definitions.get(keyOf(application, definition));
    return conduct ? this.endOf(conduct) : null;
  }

  /** Counts the suspended definitions. */
  suspended(): number {
    return [...this.definitions.values()].filter((conduct) => this.endOf(conduct) !== null).length;
  }

  /** A suspension ends when its first fault is an hour old; one more fault then suspends the definition again. */
  private endOf({ faults }: Conduct): number | null {
    const [first] = faults;
    if (first === undefined || faults.length < MAX_FAULTS) return null;
    return first + HOUR_MS > this.elapsed() ? first + HOUR_MS : null;
  }

  private conductOf(application: number, definition: AppliedDefinition): Conduct {
    const key = keyOf(application, definition);
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

const keyOf = (application: number, { definitionId, version, type }: AppliedDefinition): string =>
  `${application} ${definitionId} ${version} ${type}`;

/** Explains why a suspended definition fails and what ends the suspension. `until` is in Unix milliseconds. */
export const suspendedReason = ({ name, version }: AppliedDefinition, until: number): string =>
  `The definition ${JSON.stringify(name.slice(0, 100))} (version ${version}) is suspended until ${new Date(until).toISOString()}: it timed out or ended its thread ${MAX_FAULTS} times within an hour. ` +
  'Simplify its regular expressions or JSON Schemas, or check fewer texts; a new version of the definition ends the suspension at once.';
