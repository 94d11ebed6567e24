import type { AttributeValue, Draft } from './draft.ts';
import { mergeMetadata, type MetadataMode } from './metadata.ts';
import type { Patch } from './patch.ts';

/** What an `llm` start says of its own. All else its end may say as well, and the end has the last word. */
const OWN_OF_START: ReadonlySet<string> = new Set(['input.value', 'input.mime_type']);

/**
 * The span after one more event: what the event gives overwrites, what it leaves out stays. A start that finds its
 * end already there gives what is the start's own and fills gaps. So start and end make the same span in either
 * order, and either of them sent again changes nothing.
 */
export function applyPatch(before: Draft | null, patch: Patch): Draft {
  const fillsGaps = patch.phase === 'start' && before !== null && !isOpen(before);
  const attributes = mergeAttributes(before, patch, fillsGaps);
  const draft: Draft = {
    parentId: before?.parentId ?? null,
    name: mergeName(before, patch, fillsGaps, attributes),
    start: patch.time,
    end: patch.time,
    attributes,
  };
  if (patch.parent !== null && (!fillsGaps || draft.parentId === null)) {
    draft.parentId = patch.parent.id;
    setOrDelete(attributes, 'touchstone.parent_id', patch.parent.given);
  }
  if (patch.phase === 'start') joinStart(draft, fillsGaps ? before : null);
  if (patch.phase === 'end') joinEnd(draft, before);
  return draft;
}

/** An `llm` start waiting for its end. */
export function isOpen(draft: Draft): boolean {
  return draft.attributes.get('touchstone.open') === true;
}

function isUnpaired(draft: Draft): boolean {
  return draft.attributes.get('touchstone.unpaired') === true;
}

function mergeAttributes(before: Draft | null, patch: Patch, fillsGaps: boolean): Draft['attributes'] {
  const attributes: Draft['attributes'] = new Map(before?.attributes);
  for (const [name, value] of patch.attributes) {
    if (!fillsGaps || !attributes.has(name) || OWN_OF_START.has(name)) setOrDelete(attributes, name, value);
  }
  if (patch.metadata !== null) {
    const text = attributes.get('metadata');
    const mode = metadataMode(patch, fillsGaps);
    const merged = mergeMetadata(typeof text === 'string' ? text : null, patch.metadata.fields, mode);
    setOrDelete(attributes, 'metadata', merged);
  }
  return attributes;
}

/** The metadata of a start and of its end are both kept; a later event of any other kind brings its own. */
function metadataMode(patch: Patch, fillsGaps: boolean): MetadataMode {
  if (fillsGaps) return 'fill';
  return patch.metadata?.isWhole === true && patch.phase !== 'end' ? 'replace' : 'overwrite';
}

function mergeName(
  before: Draft | null,
  patch: Patch,
  fillsGaps: boolean,
  attributes: Draft['attributes'],
): string {
  const hasName = before !== null && before.name !== defaultName(before.attributes);
  if (patch.name !== null && !(fillsGaps && hasName)) return patch.name;
  return hasName ? before.name : defaultName(attributes);
}

function defaultName(attributes: Draft['attributes']): string {
  return String(attributes.get('gen_ai.request.model') ?? attributes.get('touchstone.event'));
}

function joinStart(draft: Draft, ended: Draft | null): void {
  if (ended === null) draft.attributes.set('touchstone.open', true);
  else draft.end = ended.end;
  draft.attributes.delete('touchstone.unpaired');
}

function joinEnd(draft: Draft, before: Draft | null): void {
  if (before === null) draft.attributes.set('touchstone.unpaired', true);
  else if (!isUnpaired(before)) draft.start = before.start;
  draft.attributes.delete('touchstone.open');
}

function setOrDelete(attributes: Draft['attributes'], name: string, value: AttributeValue | null): void {
  if (value === null) attributes.delete(name);
  else attributes.set(name, value);
}
