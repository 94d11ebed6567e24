import { type AttributeValue, type SpanDraft, newDraft } from './draft.ts';
import { mergeMetadata, type MetadataMode } from './metadata.ts';
import type { Patch } from './patch.ts';

/** Fields that only an `llm` start sets. Its end may set all other fields too and then takes precedence. */
const OWN_OF_START: ReadonlySet<string> = new Set(['input.value', 'input.mime_type']);

/**
 * Applies an event to a span: changes `before` and returns it. Fields of the event overwrite, absent fields stay. A
 * start that arrives after its end sets the fields that only a start sets, and fills gaps. So both orders make the
 * same span, and a repeated start or end changes nothing.
 */
export function applyEventPatch(before: SpanDraft | null, patch: Patch): SpanDraft {
  const draft = before ?? newDraft();
  const hasStart = before !== null && !isUnpaired(before);
  const hasEnd = before !== null && !isOpenSpan(before);
  const hasName = before !== null && before.name !== defaultName(before);
  const fillsGaps = patch.phase === 'start' && hasEnd;

  for (const [name, value] of patch.attributes) {
    if (!fillsGaps || !draft.attributes.has(name) || OWN_OF_START.has(name)) setOrDelete(draft, name, value);
  }
  if (patch.metadata !== null) mergeMetadata(draft.metadata, patch.metadata, metadataMode(patch, fillsGaps));
  if (patch.parent !== null && !(fillsGaps && draft.parentId !== null)) {
    draft.parentId = patch.parent.id;
    setOrDelete(draft, 'touchstone.parent_id', patch.parent.given);
  }
  if (patch.name !== null && !(fillsGaps && hasName)) draft.name = patch.name;
  else if (!hasName) draft.name = defaultName(draft);

  applyTimes(draft, patch, { hasStart, hasEnd });
  setOrDelete(draft, 'touchstone.open', patch.phase === 'start' && !hasEnd ? true : null);
  setOrDelete(draft, 'touchstone.unpaired', patch.phase === 'end' && !hasStart ? true : null);
  return draft;
}

/**
 * Sets the times that a patch reports. The time of an `llm` end is that of its end, of all other steps that of the start.
 * Steps of the same time are stored in the order in which they were sent, a nanosecond apart.
 */
function applyTimes(
  draft: SpanDraft,
  { phase, time, endTime, duration, order }: Patch,
  { hasStart, hasEnd }: { hasStart: boolean; hasEnd: boolean },
): void {
  const offset = BigInt(order);
  if (phase === 'end') {
    draft.end = endTime ?? time;
    if (hasStart) return;
    draft.start = endTime === null ? time - (duration ?? 0n) : earlier(time, endTime);
  } else {
    draft.start = time + offset;
    setOrDelete(draft, 'touchstone.order', order === 0 ? null : order);
    if (phase === 'start' && hasEnd) return;
    draft.end = later(endTime ?? time + (duration ?? 0n), draft.start);
  }
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const earlier = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Reports whether a span is an `llm` start that waits for its end. */
export function isOpenSpan(draft: SpanDraft): boolean {
  return draft.attributes.get('touchstone.open') === true;
}

function isUnpaired(draft: SpanDraft): boolean {
  return draft.attributes.get('touchstone.unpaired') === true;
}

/**
 * Returns how metadata is combined. That of a start and of its end are both kept; a repeated event of another type
 * replaces its metadata.
 */
function metadataMode(patch: Patch, fillsGaps: boolean): MetadataMode {
  if (fillsGaps) return 'fill';
  return patch.metadata?.isWhole === true && patch.phase !== 'end' ? 'replace' : 'overwrite';
}

/** Returns the name of a span that was sent without one. */
function defaultName({ attributes }: SpanDraft): string {
  return String(attributes.get('gen_ai.request.model') ?? attributes.get('touchstone.event'));
}

function setOrDelete({ attributes }: SpanDraft, name: string, value: AttributeValue | null): void {
  if (value === null) attributes.delete(name);
  else attributes.set(name, value);
}
