import type { Fields } from './fields.ts';

/** Metadata by name, in any order. */
export type Metadata = Map<string, unknown>;

/** Metadata of an event: its `metadata` field, and the fields without a column of their own. */
export interface GivenMetadata {
  entries: ReadonlyMap<string, unknown>;
  /** True if the event has `metadata`, which then replaces earlier metadata. */
  isWhole: boolean;
}

export type MetadataMode = 'replace' | 'overwrite' | 'fill';

/**
 * Collects the metadata of an event; null when there is none. A field whose name also occurs in `metadata` is stored
 * as `event.<name>`.
 */
export function collectMetadata(metadata: Fields | null, extras: Fields): GivenMetadata | null {
  const names = Object.keys(extras);
  if (metadata === null && names.length === 0) return null;
  const entries = new Map(Object.entries(metadata ?? {}));
  for (const name of names) {
    let free = name;
    for (let n = 1; entries.has(free); n++) free = n === 1 ? `event.${name}` : `event.${n}.${name}`;
    entries.set(free, extras[name]);
  }
  return { entries, isWhole: metadata !== null };
}

export function mergeMetadata(metadata: Metadata, given: GivenMetadata, mode: MetadataMode): void {
  if (mode === 'replace') metadata.clear();
  for (const [name, value] of given.entries) {
    if (mode !== 'fill' || !metadata.has(name)) metadata.set(name, value);
  }
}

/** Writes metadata as JSON with sorted names, so that the text does not depend on the order of events. */
export function writeMetadata(metadata: ReadonlyMap<string, unknown>): string {
  // The object has no prototype, because a name may be `__proto__`.
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const name of [...metadata.keys()].sort()) sorted[name] = metadata.get(name);
  return JSON.stringify(sorted);
}

/** Parses metadata written by `writeMetadata`; null when the text has another origin. */
export function readMetadata(text: string): Metadata | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
}
