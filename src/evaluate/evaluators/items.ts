import type { JsonValue } from '../../traces/span-wire.ts';
import { textOf } from '../subject.ts';
import { sortedJson } from '../sorted-json.ts';
import { jsonIn } from './assertions/find-json.ts';

/** Most items of a list that are compared. */
export const MAX_COMPARED_ITEMS = 5_000;

const BULLET = /^\s*(?:[-*•–]|\d{1,4}[.)])\s+/u;

/**
 * Turns a value into a list of texts. A list stays as it is, and a text that is a JSON array becomes that array. Any
 * other text is split into lines, without bullets and numbers, or at its commas if it is a single line. Blank items
 * are dropped.
 */
export function itemsOf(value: JsonValue): string[] {
  const items = listOf(value);
  return items.filter((item) => item.trim() !== '').slice(0, MAX_COMPARED_ITEMS);
}

function listOf(value: JsonValue): string[] {
  if (typeof value !== 'string') return textsOf(Array.isArray(value) ? value : [value]);
  const json = jsonIn(value);
  if (Array.isArray(json)) return textsOf(json);
  const lines = value.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [only, ...more] = lines.map((line) => line.replace(BULLET, ''));
  return more.length === 0 ? (only ?? '').split(',') : [only ?? '', ...more];
}

/** Objects are equal whatever the order of their members. */
const textsOf = (values: readonly JsonValue[]): string[] =>
  values.map((value) =>
    typeof value === 'object' && value !== null ? sortedJson(value) : (textOf(value) ?? ''),
  );
