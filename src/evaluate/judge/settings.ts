import { z } from 'zod';

const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

const dollars = z.number().min(0).max(1_000_000);
const name = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores');

/**
 * Schema of API keys. It rejects characters that a header does not allow, because the error about such a header would
 * contain the key.
 */
export const judgeKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');

/** Headers that the service sets itself. */
const OWN_HEADERS =
  /^(?:host|connection|content-(?:type|length|encoding)|transfer-encoding|accept-encoding)$/i;
const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'must be the name of a header')
  .refine((header) => !OWN_HEADERS.test(header), 'is a header that the service sets itself');
const headerValue = z.string().regex(/^[\x20-\x7e]{1,4000}$/, 'must be visible ASCII characters');

/** Fields of a request that hold what is asked, and how it is answered. */
const OWN_FIELDS = /^(?:model|messages|system|stream|tools|tool_choice)$/;
const bodyField = z
  .string()
  .min(1)
  .max(100)
  .refine((field) => !OWN_FIELDS.test(field), 'is a field that the service sets itself');

/** Reports whether an address contains no secret. Addresses appear in logs; keys have a field of their own. */
const isPlainWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  );
};

/** Recordings contain the query, and logs of proxies do: what is secret belongs to a header. */
const queryName = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^(?!.*(?:secret|token|password|signature|credential))(?!(?:.*[-_])?(?:api)?key$)/i,
    'must not name a secret, which recordings would contain; use `headersEnv`',
  );

const modelWith = ({ temperature, seed }: { temperature: number; seed: number | null }) =>
  z
    .strictObject({
      provider: z.enum(['openai-compatible', 'anthropic']),
      baseUrl: z
        .string()
        .refine(
          isPlainWebAddress,
          'must begin with http:// or https:// and have no user, password, query or fragment; parameters of the query belong to `query`',
        )
        .optional(),
      apiKey: judgeKey.optional(),
      apiKeyEnv: z.string().min(1).optional(),
      model: z.string().min(1).max(256),
      temperature: z.number().min(0).max(2).nullable().default(temperature),
      seed: z.int().min(0).max(2_000_000_000).nullable().default(seed),
      timeoutMs: z.int().min(100).max(600_000).default(60_000),
      maxWaitMs: z.int().min(0).max(86_400_000).default(3_600_000),
      concurrency: z.int().min(1).max(256).default(4),
      embeddingModel: z.string().min(1).max(256).nullable().default(null),
      embeddingPrice: dollars.nullable().default(null),
      maxOutputTokens: z.int().min(64).max(200_000).default(4096),
      prices: z.strictObject({ input: dollars, output: dollars }).nullable().default(null),
      headers: z.record(headerName, headerValue).default({}),
      headersEnv: z.record(headerName, z.string().min(1)).default({}),
      query: z.record(queryName, z.string().max(1_000)).default({}),
      body: z.record(bodyField, z.json()).default({}),
      structuredOutput: z.enum(['json_schema', 'json_object', 'text']).default('json_schema'),
    })
    .refine((given) => given.apiKey === undefined || given.apiKeyEnv === undefined, {
      message: 'must not be given together with apiKey',
      path: ['apiKeyEnv'],
    })
    .refine((given) => given.provider === 'anthropic' || given.baseUrl !== undefined, {
      message: 'is required',
      path: ['baseUrl'],
    })
    .refine((given) => given.provider !== 'anthropic' || given.embeddingModel === null, {
      message: 'must not be given, because this provider has no embeddings',
      path: ['embeddingModel'],
    })
    .transform(({ baseUrl = ANTHROPIC_URL, ...given }) => ({
      ...given,
      baseUrl: baseUrl.replace(/\/+$/, ''),
    }));

const judge = modelWith({ temperature: 0, seed: null });
/** Schema of the prompt model. Its prompts must differ, so it has another temperature than a judge. */
export const promptModel = modelWith({ temperature: 1, seed: 0 });

/** Schema of the judges file. */
export const judgesFile = z
  .strictObject({
    judges: z.record(name, judge).refine((judges) => Object.keys(judges).length > 0, 'must name a judge'),
    default: name.optional(),
    promptModel: promptModel.optional(),
    dailyCostLimit: dollars.nullable().default(null),
    runCostLimit: dollars.nullable().default(null),
  })
  .refine(({ judges, default: named }) => named === undefined || Object.hasOwn(judges, named), {
    message: 'must be the name of one of the judges',
    path: ['default'],
  });
export type JudgesFile = z.output<typeof judgesFile>;

/** Settings of one judge. */
export interface JudgeSettings extends Omit<z.output<typeof judge>, 'apiKey' | 'apiKeyEnv' | 'headersEnv'> {
  name: string;
  /** API key of the judge model; null if it requires none. */
  apiKey: string | null;
}

export interface JudgesSettings {
  judges: readonly JudgeSettings[];
  /** Name of the judge for definitions that name none; null when there is no judge. */
  default: string | null;
  /** Model that writes the prompts of `NORMAL` tasks; null when there is none. */
  promptModel: JudgeSettings | null;
  /** Limit for all applications in a UTC day, in US dollars; null for no limit. */
  dailyCostLimit: number | null;
  /** Limit for one run, in US dollars; null for no limit. */
  runCostLimit: number | null;
  /**
   * Mode of requests. `record` sends them and stores the responses in files; `replay` reads responses from these
   * files only. `folder` contains the files; null in `live`.
   */
  mode: 'live' | 'record' | 'replay';
  folder: string | null;
}

export const NO_JUDGES: JudgesSettings = {
  judges: [],
  default: null,
  promptModel: null,
  dailyCostLimit: null,
  runCostLimit: null,
  mode: 'live',
  folder: null,
};

/** Returns the settings that change what an endpoint is sent, where there are some: recordings and versions of judges depend on them. */
export const extraParameters = ({
  query,
  body,
}: Pick<JudgeSettings, 'query' | 'body'>): Partial<Pick<JudgeSettings, 'query' | 'body'>> => ({
  ...(Object.keys(query).length > 0 && { query }),
  ...(Object.keys(body).length > 0 && { body }),
});
