import { z } from 'zod';
import type { JsonValue } from '../../../traces/span-wire.ts';

const MAX_DEPTH = 50;

/** Schema of any JSON of limited depth. It does not describe the parts of the value. */
export const jsonValue = z.custom<JsonValue>((given) => given !== undefined && isShallow(given, MAX_DEPTH), {
  error: ({ input }) => (input === undefined ? 'Required' : `must be JSON of at most ${MAX_DEPTH} levels`),
});

const isShallow = (given: unknown, levels: number): boolean =>
  typeof given !== 'object' ||
  given === null ||
  (levels > 0 && Object.values(given).every((one) => isShallow(one, levels - 1)));

export const textValue = z.string().min(1).max(10_000).describe('text');

export const texts = z.array(textValue).min(1).max(100).describe('list of up to 100 texts');

/** Schema of the texts that a measure compares with. */
export const references = z
  .union([textValue, z.array(textValue).min(1).max(10)], 'must be a text, or a list of 1 to 10 texts')
  .transform((given) => [given].flat())
  .describe('text, or list of up to 10 texts; the most similar one counts');

export const names = z
  .union([textValue, texts], 'must be a name, or a list of 1 to 100 names')
  .transform((given) => [given].flat())
  .describe('name, or list of names');

/** Bounds of a number. */
export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

const count = z.int().min(0).optional();

export const rangeFields = { min: count, max: count };

export const bounded = <T extends z.ZodType<Range>>(schema: T): T =>
  schema
    .refine(({ min, max }) => min !== undefined || max !== undefined, 'must have `min`, `max` or both')
    .refine(({ min = 0, max = min }) => min <= max, 'must not have a `min` above its `max`');

/** Schema of a number or of bounds. */
export const countOrRange = z
  .union(
    [z.int().min(0), bounded(z.strictObject(rangeFields))],
    'must be a whole number, or have `min`, `max` or both',
  )
  .transform((given): Range => (typeof given === 'number' ? { min: given, max: given } : given));

export const isWithin = (number: number, { min = 0, max = Number.POSITIVE_INFINITY }: Range): boolean =>
  number >= min && number <= max;

export function rangeText({ min, max }: Range): string {
  if (min === max) return `${min}`;
  if (max === undefined) return `at least ${min}`;
  return min === undefined ? `at most ${max}` : `${min} to ${max}`;
}
