import { z } from 'zod';

export const patternText = z.string().min(1).max(1_000);

export const IS_PATTERN = {
  error: 'must be a regular expression',
  params: { code: 'invalid_string' },
};

/** A regular expression of JavaScript, as users give it: any flags but those that only matter to programs, `d` and `y`. */
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

/** Null when it is none. Whoever runs it must be able to stop it: it may take for ever. */
export function compile({ pattern, flags }: { pattern: string; flags?: string | undefined }): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return null;
  }
}
