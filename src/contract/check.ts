import { z } from 'zod';
import { namedObject } from './api-schema.ts';

export const CHECK_LEVELS = ['ok', 'warning', 'problem'] as const;
export type CheckLevel = (typeof CHECK_LEVELS)[number];

/** Schema of one finding about the server or an application. */
export const check = namedObject('Check', {
  name: z.string().describe('What was checked.'),
  level: z.enum(CHECK_LEVELS),
  message: z.string().describe('What was found.'),
  advice: z.string().nullable().describe('What to do about it; null if all is well.'),
});
export type Check = z.infer<typeof check>;

export const ok = (name: string, message: string): Check => ({ name, level: 'ok', message, advice: null });
export const warning = (name: string, message: string, advice: string): Check => ({
  name,
  level: 'warning',
  message,
  advice,
});
export const problem = (name: string, message: string, advice: string): Check => ({
  name,
  level: 'problem',
  message,
  advice,
});
