import type { Fields } from './facts.ts';

/** What an event says as metadata: its `metadata` and the fields that have no name of their own. */
export interface Metadata {
  fields: Fields;
  /** The event has a `metadata`, so earlier metadata goes. */
  isWhole: boolean;
}

export type MetadataMode = 'replace' | 'overwrite' | 'fill';

/** null when there is nothing to say. A field whose name `metadata` uses too stands beside it as `event.<name>`. */
export function collectMetadata(metadata: Fields | null, extras: Fields): Metadata | null {
  const names = Object.keys(extras);
  if (metadata === null && names.length === 0) return null;
  const fields = copy(metadata ?? {});
  for (const name of names) {
    let free = name;
    while (Object.hasOwn(fields, free)) free = `event.${free}`;
    fields[free] = extras[name];
  }
  return { fields, isWhole: metadata !== null };
}

/** `text` (JSON) brought up to date with `fields`. null when no metadata is left. */
export function mergeMetadata(text: string | null, fields: Fields, mode: MetadataMode): string | null {
  const before = mode === 'replace' || text === null ? {} : parse(text);
  const merged = mode === 'fill' ? { ...fields, ...before } : { ...before, ...fields };
  return Object.keys(merged).length === 0 ? null : metadataText(merged);
}

/** With its names sorted, so that the text doesn't tell in what order events brought them. */
export function metadataText(fields: Fields): string {
  const sorted = copy({});
  for (const name of Object.keys(fields).sort()) sorted[name] = fields[name];
  return JSON.stringify(sorted);
}

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

/** Null prototype: a field may be called `__proto__`. */
function copy(fields: Fields): Record<string, unknown> {
  const made = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(fields)) made[name] = fields[name];
  return made;
}
