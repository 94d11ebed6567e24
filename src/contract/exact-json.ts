import type { z } from 'zod';
import { findUncanonical } from './canonical-json.ts';

/** Refuses what some JSON reader would change on the way: it could be neither signed nor compared. */
export const exact = <T extends z.ZodType>(schema: T) =>
  schema.superRefine((value, context) => {
    const found = findUncanonical(value);
    if (found) context.addIssue({ code: 'custom', message: `the value ${found.reason}`, path: found.path });
  });

/** Refuses what is longer than `maxCharacters` as JSON. */
export const shortAsJson = <T extends z.ZodType>(schema: T, maxCharacters: number) =>
  schema.refine((value) => JSON.stringify(value).length <= maxCharacters, {
    error: `must have at most ${maxCharacters} characters as JSON`,
    params: { code: 'too_big' },
  });
