import { AppError } from '../errors.ts';
import type { Masker } from '../masking/masker.ts';
import type { Steps } from '../runtime/steps.ts';
import { isObject } from '../contract/is-object.ts';

const MAX_DEPTH = 256;
/** Fields with ids of spans and traces, which are no personal data in these forms. */
const ID_FIELDS: ReadonlySet<string> = new Set(['id', 'traceId', 'parentId', 'spanId', 'testId']);
const HEX_ID = /^(?:[\da-f]{16}|[\da-f]{32})$/i;

/** Masks native events in place and in steps, before they become spans. Throws `bad_request` for events that nest too deeply. */
export const maskEvents = (events: readonly unknown[], masker: Masker): Steps<void> =>
  masker.run(maskEach(events, masker));

function* maskEach(events: readonly unknown[], masker: Masker): Steps<void> {
  for (const event of events) if (isObject(event)) yield* maskMembers(event, '', masker, 1);
}

/** Masks the members of an object at this path, which rules call by their dotted name: `metadata.email`. */
function* maskMembers(
  object: Record<string, unknown>,
  path: string,
  masker: Masker,
  depth: number,
): Steps<void> {
  if (depth > MAX_DEPTH)
    throw new AppError('bad_request', `events must nest at most ${MAX_DEPTH} levels deep`);
  for (const [name, value] of Object.entries(object)) {
    if (masker.isTurnOver()) yield* masker.pause();
    const ownPath = path === '' ? name : `${path}.${name}`;
    const fate = masker.attributes.fateOfField(ownPath);
    if (fate === 'exempt') continue;
    const shownName = path === '' ? name : yield* masker.nameSteps(name);
    if (fate === 'remove' || shownName !== name) delete object[name];
    if (fate === 'remove') {
      masker.tally.add('removed', ownPath);
      continue;
    }
    const masked = yield* maskValue(value, { path: ownPath, name, depth }, masker);
    if (masked !== value || shownName !== name) define(object, shownName, masked);
  }
}

interface ValuePlace {
  path: string;
  name: string;
  depth: number;
}

function* maskValue(value: unknown, place: ValuePlace, masker: Masker): Steps<unknown> {
  const { path, name, depth } = place;
  const attribute = path.split('.', 2).join('.');
  if (typeof value === 'string')
    return ID_FIELDS.has(name) && HEX_ID.test(value)
      ? value
      : yield* masker.textSteps(value, attribute, name);
  if (typeof value === 'number') return (yield* masker.integerSteps(String(value), attribute)) ?? value;
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH)
      throw new AppError('bad_request', `events must nest at most ${MAX_DEPTH} levels deep`);
    for (const [index, item] of value.entries()) {
      if (masker.isTurnOver()) yield* masker.pause();
      value[index] = yield* maskValue(item, { ...place, depth: depth + 1 }, masker);
    }
  } else if (isObject(value)) yield* maskMembers(value, path, masker, depth + 1);
  return value;
}

/** Sets a member, also one named `__proto__`. */
const define = (object: object, name: string, value: unknown): unknown =>
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
