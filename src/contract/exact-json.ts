import type { z } from 'zod';
import { findUncanonical } from './canonical-json.ts';

/** Rejects values that some JSON parsers change, because they could be neither signed nor compared. */
export const exact = <T extends z.ZodType>(schema: T) =>
  schema.superRefine((value, context) => {
    const found = findUncanonical(value);
    if (found) context.addIssue({ code: 'custom', message: `the value ${found.reason}`, path: found.path });
  });

/** Rejects values that are longer than `maxCharacters` as JSON. */
export const shortAsJson = <T extends z.ZodType>(schema: T, maxCharacters: number) =>
  schema.refine((value) => (JSON.stringify(value)?.length ?? 0) <= maxCharacters, {
    error: `must have at most ${maxCharacters} characters as JSON`,
    params: { code: 'too_big' },
  });
