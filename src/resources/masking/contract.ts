import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryInteger } from '../../contract/query.ts';
import { DETECTED_KINDS } from '../../detect/finding.ts';
import { compileOwnPattern } from '../../masking/own-pattern.ts';

const MAX_PATTERNS = 20;
const MAX_PATTERN = 200;
const MAX_NAMES = 200;
const MAX_NAME = 200;
const MAX_TEXT = 20_000;
export const MAX_DAYS = 400;

/** Reports whether the name is one that the service counts by itself, which own patterns cannot have. */
export const isTaken = (name: string): boolean =>
  name === 'removed' || DETECTED_KINDS.some((kind) => kind === name);

const ownPattern = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z\d_-]{0,31}$/, 'must have 1 to 32 lower-case letters, digits, - and _, a letter first')
    .refine((name) => !isTaken(name), {
      error: 'must not be the name of a detector',
      params: { code: 'invalid_string' },
    })
    .describe('Name in the tokens: `<name:3f9a1c20b7de>`.'),
  pattern: z
    .string()
    .min(1)
    .max(MAX_PATTERN)
    .superRefine((pattern, context) => {
      const compiled = compileOwnPattern(pattern);
      if (typeof compiled === 'string')
        context.addIssue({ code: 'custom', message: compiled, params: { code: 'invalid_string' } });
    })
    .describe('Regular expression that runs in linear time. Case matters.'),
});

const attributeNames = z
  .array(
    z
      .string()
      .min(1)
      .max(MAX_NAME)
      .regex(/^[^*]*\*?$/, 'must have an asterisk at its end only'),
  )
  .max(MAX_NAMES);

const fields = {
  detectors: z
    .array(z.enum(DETECTED_KINDS))
    .max(DETECTED_KINDS.length)
    .describe('Detectors whose findings are replaced by tokens.'),
  patterns: z
    .array(ownPattern)
    .max(MAX_PATTERNS)
    .refine((patterns) => new Set(patterns.map(({ name }) => name)).size === patterns.length, {
      error: 'must have different names',
      params: { code: 'custom' },
    })
    .describe('Own patterns, which precede the detectors.'),
  removeAttributes: attributeNames.describe(
    'Attributes that are removed, by key; a final `*` stands for any ending. Fields of native events by path: `metadata.email`.',
  ),
  keepAttributes: attributeNames
    .nullable()
    .describe(
      'The only attributes that are kept; null keeps all. `service.name`, `service.test.id` and `touchstone.*` always stay.',
    ),
  exemptAttributes: attributeNames.describe('Attributes whose values are stored as they are.'),
};

export const masking = namedObject('Masking', {
  ...fields,
  suspended: z
    .array(
      z.object({
        name: z.string(),
        until: z.iso.datetime().describe('End of the suspension; saving the rules ends it at once.'),
        reason: z.string(),
      }),
    )
    .describe(
      'Own patterns that are too slow. They are still searched in short texts; texts of more than 256 characters are masked completely, as if they matched.',
    ),
});
export type Masking = z.infer<typeof masking>;

export const setMaskingBody = z.object(fields).partial();

export const previewBody = z.object({
  text: z.string().max(MAX_TEXT),
  attribute: z.string().min(1).max(MAX_NAME).optional().describe('Key of the attribute with the text.'),
  rules: setMaskingBody.optional().describe('Rules to try; absent ones are those of the application.'),
});

export const previewResult = z.object({
  text: z.string().nullable().describe('The text as it would be stored; null when its attribute is removed.'),
  masked: z.array(z.object({ detector: z.string(), count: z.int() })),
});

export const maskedValues = namedObject('MaskedValues', {
  day: z.iso.date().describe('Day of the request (UTC).'),
  detector: z
    .string()
    .describe('Detector, or name of an own pattern; `removed` for attributes that were removed.'),
  attribute: z.string().describe('Key of the attribute, or name of the field.'),
  count: z.int(),
});

/** Most rows that a report has. */
export const MAX_REPORT_ROWS = 10_000;

export const reportQuery = z.object({
  days: queryInteger(1, MAX_DAYS).default(30).describe('Number of days, today included.'),
});
