import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryInteger } from '../../contract/query.ts';
import { PRICE_LIMITS } from '../../traces/prices/price-limits.ts';
import { OWN_FIELDS, parsePath, PREFIX_FIELDS } from '../../traces/own-rules/own-rule.ts';
import { SPAN_KINDS } from '../../traces/span-kinds.ts';

const MAX_RULES = 200;
const MAX_MODELS = 500;
const MAX_NAME = 200;
const MAX_PATH = 200;
const MAX_KINDS = 50;

const kind = z.enum(SPAN_KINDS);

const mappingRule = namedObject('MappingRule', {
  key: z
    .string()
    .min(2)
    .max(MAX_NAME)
    .regex(/^[^*]{2,}\*?$/, 'must have an asterisk at its end only, after two characters or more')
    .describe('Key of the attribute; with a final `*`, every key that begins so.'),
  field: z.enum(OWN_FIELDS).describe('Field that it gives. Own rules precede all others.'),
  path: z
    .string()
    .min(1)
    .max(MAX_PATH)
    .refine((path) => parsePath(path) !== null, {
      error: 'must be a path such as `request.messages[0].content`',
      params: { code: 'invalid_string' },
    })
    .optional()
    .describe('Path into the value; a text is parsed as JSON first.'),
  type: z.enum(['text', 'number', 'json']).optional().describe('Default: as the value was sent.'),
  kind: kind.optional().describe('Kind of each span that has the attribute.'),
  kinds: z
    .record(z.string().min(1).max(MAX_NAME), kind)
    .refine((kinds) => Object.keys(kinds).length <= MAX_KINDS, {
      error: `must have at most ${MAX_KINDS} values`,
      params: { code: 'too_big' },
    })
    .optional()
    .describe('For the field `kind`: the kind by value. Default: the names of kinds.'),
});

const rules = z
  .array(
    mappingRule.refine(({ key, field }) => !key.endsWith('*') || PREFIX_FIELDS.includes(field), {
      error: `must name one key, unless the field is ${PREFIX_FIELDS.join(', ')}`,
      path: ['key'],
      params: { code: 'custom' },
    }),
  )
  .max(MAX_RULES);

const version = z.int().min(0).describe('Grows with each change; 0 before the first.');
const modifiedAt = z.iso.datetime().nullable();

export const ownMappings = namedObject('OwnMappings', {
  version,
  modifiedAt,
  rules: z.array(mappingRule),
});
export type OwnMappingsRecord = z.infer<typeof ownMappings>;

const replaces = version
  .optional()
  .describe('Version that is replaced; another one in the meantime is a conflict (409). Default: any.');

export const setMappingsBody = z.object({ rules, replaces });

export const versionQuery = z.object({
  version: queryInteger(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('An earlier version, of which 100 are kept. Default: the latest.'),
});

export const previewMappingsBody = z.object({
  rules: rules.optional().describe('Rules to try. Default: those of the application.'),
});

const samples = z.array(z.string()).describe('Up to three values.');

export const mappingPreview = namedObject('MappingPreview', {
  traces: z.int(),
  spans: z
    .int()
    .describe('Spans that were read: of the newest 200 traces, up to 5000, for at most a second.'),
  rules: z.array(
    z.object({
      key: z.string(),
      field: z.enum(OWN_FIELDS),
      spans: z.int().describe('Spans with the attribute.'),
      given: z.int().describe('Spans that get the field from it.'),
      samples,
    }),
  ),
  unread: z
    .array(
      z.object({
        key: z.string(),
        spans: z.int(),
        samples,
        proposed: z.enum(OWN_FIELDS).nullable().describe('Field that the key probably means.'),
      }),
    )
    .describe(
      'Keys that no rule reads, the most frequent first; without those of other conventions of OpenTelemetry.',
    ),
});

const amount = z.number().min(0).max(PRICE_LIMITS.price);
const tokenPrice = {
  input: amount,
  output: amount,
  cacheRead: amount.optional(),
  cacheWrite: amount.optional(),
  cacheWriteHour: amount.optional(),
  audioInput: amount.optional(),
  audioOutput: amount.optional(),
  audioCacheRead: amount.optional(),
};
const longPrice = z.object({ ...tokenPrice, above: z.int().min(1).max(PRICE_LIMITS.tokens) });

const modelPrice = namedObject('ModelPrice', {
  ...tokenPrice,
  long: z
    .union([longPrice, z.array(longPrice).max(PRICE_LIMITS.thresholds)])
    .optional()
    .describe('Prices of requests with more input tokens than `above`.'),
  tiers: z
    .record(
      z.string().regex(/^[a-z\d_.-]{1,40}$/, 'must be in lower case'),
      z.union([z.number().min(0).max(PRICE_LIMITS.factor), z.object(tokenPrice)]),
    )
    .refine((tiers) => Object.keys(tiers).length <= PRICE_LIMITS.tiers, {
      error: `must have at most ${PRICE_LIMITS.tiers} tiers`,
      params: { code: 'too_big' },
    })
    .optional()
    .describe('By service tier: a factor, or prices of its own.'),
  from: z.iso.date().optional().describe('First day (UTC) of the price.'),
});

const periods = z
  .array(modelPrice)
  .min(1)
  .max(PRICE_LIMITS.periods)
  .refine((list) => new Set(list.map(({ from }) => from)).size === list.length, {
    error: 'must not have two prices from the same day',
  });

const prices = z
  .record(z.string().min(1).max(MAX_NAME), z.union([modelPrice, periods]))
  .refine((table) => Object.keys(table).length <= MAX_MODELS, {
    error: `must have at most ${MAX_MODELS} models`,
    params: { code: 'too_big' },
  })
  .describe(
    'By model, or `provider/model`, in US dollars per million tokens; a list for prices of several periods.',
  );

export const ownPrices = namedObject('OwnPrices', { version, modifiedAt, prices });
export type OwnPricesRecord = z.infer<typeof ownPrices>;

export const setPricesBody = z.object({ prices, replaces });
