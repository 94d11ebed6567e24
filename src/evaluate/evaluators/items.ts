import type { JsonValue } from '../../traces/span-wire.ts';
import { textOf } from '../subject.ts';
import { parseJson } from './assertions/find-json.ts';

/** More items of a list are not looked at. */
export const MAX_ITEMS = 5_000;

const BULLET = /^\s*(?:[-*•–]|\d{1,4}[.)])\s+/u;

/**
 * A value as a list of texts: a list as it is; a text that is a JSON array as that; any other text by its lines, without
 * bullets and numbers before them, or, where it is a single line, at its commas. Blank items are none.
 */
export function itemsOf(value: JsonValue): string[] {
  const items = listOf(value);
  return items.filter((item) => item.trim() !== '').slice(0, MAX_ITEMS);
}

function listOf(value: JsonValue): string[] {
  if (typeof value !== 'string') return textsOf(Array.isArray(value) ? value : [value]);
  const json = parseJson(value);
  if (Array.isArray(json)) return textsOf(json);
  const lines = value.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [only, ...more] = lines.map((line) => line.replace(BULLET, ''));
  return more.length === 0 ? (only ?? '').split(',') : [only ?? '', ...more];
}

const textsOf = (values: readonly JsonValue[]): string[] => values.map((value) => textOf(value) ?? '');
