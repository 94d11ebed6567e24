import { z } from 'zod';

export const patternText = z.string().min(1).max(1_000);

export const IS_PATTERN = {
  error: 'must be a regular expression',
  params: { code: 'invalid_string' },
};

/**
 * Schema of a user's JavaScript regular expression. Allows all flags except `d` and `y`, which matter to programs
 * only.
 */
export const regularExpression = z
  .looseObject({
    pattern: patternText,
    flags: z
      .string()
      .regex(/^(?!.*(.).*\1)[gimsuv]*$/, {
        error: 'must be some of the letters g, i, m, s, u and v, each once',
        abort: true,
      })
      .optional(),
  })
  .refine((given) => compile(given) !== null, { ...IS_PATTERN, path: ['pattern'] });

/**
 * Compiles a pattern; returns null for an invalid one. The caller must be able to stop its execution, which may take
 * forever.
 */
export function compile({ pattern, flags }: { pattern: string; flags?: string | undefined }): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return null;
  }
}
