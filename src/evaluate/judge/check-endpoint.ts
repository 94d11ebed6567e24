import { z } from 'zod';
import { type Check, ok, problem, warning } from '../../contract/check.ts';
import { isObject } from '../../contract/is-object.ts';
import { settled } from '../statistics/settled.ts';
import { readAnswer } from './answer.ts';
import { openCompare } from './compare.ts';
import { JudgeError } from './judge-error.ts';
import { openModel } from './model.ts';
import type { ModelResponse } from './model-request.ts';
import { judgeMessages, judgePrompt } from './prompt.ts';
import type { JudgeSettings } from './settings.ts';
import { createJudgeFetch } from './transport.ts';

/** Settings that an endpoint needs, where they differ from those that it has. */
export type NeededSettings = Partial<
  Pick<JudgeSettings, 'structuredOutput' | 'temperature' | 'seed' | 'maxOutputTokens'>
>;

/** Findings about an endpoint, and the settings that it needs. */
export interface EndpointReport {
  /** True if the endpoint answers, and its answers have the form that a verdict needs. */
  isUsable: boolean;
  /** One sentence: what is wrong, or that nothing is. */
  summary: string;
  /** Time of the first answer in milliseconds; null without one. */
  latencyMs: number | null;
  /** Cost of all probes in US dollars; null if a price or a count of tokens is unknown. */
  cost: number | null;
  checks: Check[];
  needs: NeededSettings;
}

const MODES = ['json_schema', 'json_object', 'text'] as const;
/** Limit of tokens that truncates every answer. */
const FEW_TOKENS = 16;
const MORE_TOKENS = 4;
const MOST_TOKENS = 32_768;
const CLOCK_MS = 5_000;
/** Part of the time limit above which an answer is slow. */
const SLOW = 1 / 3;

const ANSWER = z.object({ rationale: z.string(), verdict: z.enum(['yes', 'no']) });
const QUESTION = 'Is the text polite? Give a rationale of one sentence and the verdict yes or no.';
const POLITE = 'Thank you very much for your help, have a nice day.';
const HARMFUL = 'You are a complete idiot, and I will kill you.';

/** Outcome of one probe: the response or the error, and what was received. */
interface Probe {
  response: ModelResponse | null;
  error: JudgeError | null;
  /** True if the text of the response is an answer. */
  fits: boolean;
  rejected: readonly string[];
  ms: number;
  received: Received | null;
}

interface Received {
  status: number;
  headers: Headers;
  body: unknown;
  at: number;
}

/** Sends about a dozen requests to the endpoint of a judge, one at a time, and reports what it needs. */
export async function checkEndpoint(settings: JudgeSettings, signal: AbortSignal): Promise<EndpointReport> {
  const probe = prober(settings, signal);
  const plain = await probe({ structuredOutput: 'text', temperature: null }, POLITE);
  if (plain.response === null) {
    const connection = problem('Connection', plain.error?.message ?? 'no response', adviceOn(plain.error));
    return reportOf([connection], { needs: {}, latencyMs: null, cost: probe.cost() });
  }
  const needs: NeededSettings = {};
  const checks = [
    ok('Connection', `${settings.baseUrl} responds, as ${plain.response.value.model}.`),
    clock(plain),
    speed(plain, settings),
    usage(plain),
    quota(plain),
    reasoning(plain),
    ...(await limits(probe, plain, settings, needs)),
    ...(await modes(probe, plain, settings, needs)),
    ...(await parameters(probe, settings, needs)),
    await harmful(probe),
    ...(await embeddings(settings, signal)),
  ];
  const cost = probe.cost();
  checks.splice(CHECKS_BEFORE_COST, 0, costCheck(cost));
  return reportOf(checks, { needs, latencyMs: Math.round(plain.ms), cost });
}

/** Number of checks in front of that of the cost: connection, clock, speed and usage. */
const CHECKS_BEFORE_COST = 4;

const costCheck = (cost: number | null): Check =>
  cost === null
    ? ok(
        'Cost',
        'The cost of these questions is unknown: the judge has no prices, or the endpoint reports no tokens.',
      )
    : ok('Cost', `These questions cost $${cost.toFixed(6)}.`);

function reportOf(
  checks: Check[],
  more: Pick<EndpointReport, 'needs' | 'latencyMs' | 'cost'>,
): EndpointReport {
  const faults = checks.filter(({ level }) => level === 'problem');
  const [first] = faults;
  const hasForm = checks.some(({ name, level }) => name === 'Form' && level !== 'problem');
  const summary = first
    ? `${first.message.replace(/\.$/, '')}. ${first.advice ?? ''}`.trim()
    : Object.keys(more.needs).length > 0
      ? 'It answers with other settings than it has.'
      : 'It answers, and follows the form of verdicts.';
  return { isUsable: hasForm && faults.length === 0, summary, ...more, checks };
}

interface SendProbe {
  (more: Partial<JudgeSettings>, text: string, seed?: number | null): Promise<Probe>;
  /** Returns the cost of the probes so far in US dollars; null if it is unknown. */
  cost(): number | null;
}

function prober(settings: JudgeSettings, signal: AbortSignal): SendProbe {
  let received: Received | null = null;
  let cost: number | null = 0;
  const fetch = createJudgeFetch(settings);
  const watched: typeof globalThis.fetch = async (address, init) => {
    const response = await fetch(address, init);
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    received = { status: response.status, headers: response.headers, body, at: Date.now() };
    return response;
  };
  const send = async (
    more: Partial<JudgeSettings>,
    text: string,
    seed: number | null = null,
  ): Promise<Probe> => {
    const model = openModel({ ...settings, ...more }, watched);
    const prompt = judgePrompt({ instructions: QUESTION, inputs: [{ label: 'text', text }], answer: ANSWER });
    const request = { system: prompt.system, messages: judgeMessages(prompt, null), answer: ANSWER, seed };
    received = null;
    const since = performance.now();
    const limit = AbortSignal.timeout(settings.timeoutMs);
    const found = { fits: false, response: null, error: null };
    let outcome: Pick<Probe, 'response' | 'error' | 'fits'>;
    try {
      const response = await model.send(request, AbortSignal.any([signal, limit]));
      cost = addCost(cost, response.value, settings);
      outcome = { ...found, response, fits: 'value' in readAnswer(response.value.raw, ANSWER) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof JudgeError) && !limit.aborted) throw error;
      const timeout = `no response within ${settings.timeoutMs} ms`;
      outcome = {
        ...found,
        error: error instanceof JudgeError ? error : new JudgeError('judge_timeout', timeout),
      };
    }
    return { ...outcome, rejected: model.rejected(), ms: performance.now() - since, received };
  };
  return Object.assign(send, { cost: () => cost });
}

function addCost(
  cost: number | null,
  { inputTokens, outputTokens }: Pick<ModelResponse['value'], 'inputTokens' | 'outputTokens'>,
  { prices }: JudgeSettings,
): number | null {
  if (cost === null || prices === null || inputTokens === null || outputTokens === null) return null;
  return cost + (inputTokens * prices.input + outputTokens * prices.output) / 1e6;
}

function adviceOn(error: JudgeError | null): string {
  if (error?.code === 'judge_timeout') return 'Raise timeoutMs, or use a quicker model.';
  if (error?.isBusy) return 'Check again when the quota is refilled.';
  if (
    /model[^.]{0,80}(?:not (?:found|exist|supported|available)|unknown|invalid)|(?:unknown|invalid|no such) model/i.test(
      error?.message ?? '',
    )
  )
    return 'Check the name of the model: the endpoint does not have it.';
  if (error?.message.includes('responded with 404'))
    return 'Check baseUrl, which ends before /chat/completions or /messages, and the name of the model.';
  if (/responded with 40[13]/.test(error?.message ?? ''))
    return 'Check apiKey or apiKeyEnv; Azure takes its key in the header api-key, see `headers`.';
  return 'Check baseUrl, query and model of the judge.';
}

function clock({ received }: Probe): Check {
  const name = 'Clock';
  const date = Date.parse(received?.headers.get('date') ?? '');
  if (received === null || Number.isNaN(date)) return ok(name, 'The endpoint reports no time.');
  const seconds = Math.round((received.at - date) / 1_000);
  return Math.abs(received.at - date) < CLOCK_MS
    ? ok(name, 'This machine and the endpoint agree.')
    : warning(
        name,
        `The endpoint is ${Math.abs(seconds)} s ${seconds < 0 ? 'ahead of' : 'behind'} this machine.`,
        'Nothing is needed: delays are read by the clock of the endpoint.',
      );
}

function speed({ ms }: Probe, { timeoutMs }: JudgeSettings): Check {
  const took = `A short question took ${Math.round(ms)} ms.`;
  return ms < timeoutMs * SLOW
    ? ok('Speed', took)
    : warning('Speed', `${took} timeoutMs is ${timeoutMs}.`, 'Raise timeoutMs: longer texts take longer.');
}

function usage({ response }: Probe): Check {
  const { inputTokens = null, outputTokens = null } = response?.value ?? {};
  return inputTokens === null || outputTokens === null
    ? warning(
        'Usage',
        'The endpoint does not report all tokens.',
        'Costs are unknown, and cost limits do not count them.',
      )
    : ok('Usage', `The endpoint reports ${inputTokens} input and ${outputTokens} output tokens.`);
}

function quota({ received }: Probe): Check {
  const names = [...(received?.headers.keys() ?? [])].filter((name) => name.includes('ratelimit'));
  return ok(
    'Quota',
    names.length === 0
      ? 'The endpoint reports no limits; the judge finds them by its rejections.'
      : `The endpoint reports its limits in ${names.slice(0, 4).join(', ')}.`,
  );
}

/** Says where a response has the reasoning of the model. */
function reasoning({ received, response }: Probe): Check {
  const name = 'Reasoning';
  const places = ['reasoning_content', 'reasoning', 'thinking'].filter((key) =>
    hasMember(received?.body, key),
  );
  if (places.length > 0) return ok(name, `The model reasons, in ${places.join(' and ')}.`);
  return /^\s*<(?:think|thinking|reasoning)>/i.test(response?.value.raw ?? '')
    ? ok(name, 'The model reasons, in front of its answer, where the judge leaves it out.')
    : ok(name, 'The response shows no reasoning.');
}

/** Reports whether a value, or one that it contains, has a member that is not empty. */
function hasMember(value: unknown, key: string, depth = 0): boolean {
  if (depth > 4 || typeof value !== 'object' || value === null) return false;
  if (isObject(value) && typeof value[key] === 'string' && value[key] !== '') return true;
  return Object.values(value).some((member) => hasMember(member, key, depth + 1));
}

/** Finds out how many tokens an answer needs, and whether the endpoint says that it truncated one. */
async function limits(
  probe: SendProbe,
  plain: Probe,
  { maxOutputTokens }: JudgeSettings,
  needs: NeededSettings,
): Promise<Check[]> {
  const checks: Check[] = [];
  let more = maxOutputTokens;
  let last = plain;
  while (!last.fits && (last.response?.problem ?? '').includes('truncated') && more < MOST_TOKENS) {
    more = Math.min(MOST_TOKENS, more * MORE_TOKENS);
    last = await probe({ structuredOutput: 'text', temperature: null, maxOutputTokens: more }, POLITE);
  }
  if (more !== maxOutputTokens && last.fits) {
    needs.maxOutputTokens = more;
    checks.push(
      warning('Length', `${maxOutputTokens} tokens truncate an answer.`, `Set maxOutputTokens to ${more}.`),
    );
  } else if (more !== maxOutputTokens) {
    const advice = 'Let the model reason less, with a field of `body`, or use another model.';
    checks.push(problem('Length', `Even ${more} tokens truncate an answer.`, advice));
  } else checks.push(ok('Length', `maxOutputTokens ${maxOutputTokens} is enough for a short answer.`));
  const short = await probe(
    { structuredOutput: 'text', temperature: null, maxOutputTokens: FEW_TOKENS },
    POLITE,
  );
  const isNamed = (short.response?.problem ?? short.error?.message ?? '').includes('truncated');
  checks.push(
    isNamed || short.fits
      ? ok('Truncation', isNamed ? 'The endpoint says when it truncates.' : 'An answer fits into few tokens.')
      : warning(
          'Truncation',
          'The endpoint does not say when it truncates.',
          'A truncated answer is requested twice; keep maxOutputTokens high.',
        ),
  );
  return checks;
}

/** Finds the strictest form of responses that the endpoint takes. */
async function modes(
  probe: SendProbe,
  plain: Probe,
  { structuredOutput, maxOutputTokens }: JudgeSettings,
  needs: NeededSettings,
): Promise<Check[]> {
  const results: { mode: (typeof MODES)[number]; works: boolean; words: string }[] = [];
  const enough = needs.maxOutputTokens ?? maxOutputTokens;
  for (const mode of MODES) {
    const again = mode === 'text' && needs.maxOutputTokens === undefined;
    const given = { structuredOutput: mode, temperature: null, maxOutputTokens: enough };
    const found = again ? plain : await probe(given, POLITE);
    const isLeftOut = found.rejected.includes('response_format');
    const why = isLeftOut
      ? 'rejected'
      : (found.error?.message ?? found.response?.problem ?? 'no usable answer');
    results.push({ mode, works: found.fits && !isLeftOut, words: found.fits && !isLeftOut ? 'works' : why });
  }
  const words = results.map(({ mode, words: of }) => `${mode}: ${of.slice(0, 200)}`).join('; ');
  const best = results.find(({ works }) => works)?.mode;
  const own = results.find(({ mode }) => mode === structuredOutput);
  if (best === undefined)
    return [problem('Form', words, 'No form gives an answer: use another model, or see the reasons.')];
  if (own?.works) return [ok('Form', words)];
  needs.structuredOutput = best;
  return [warning('Form', words, `Set structuredOutput to "${best}".`)];
}

async function parameters(
  probe: SendProbe,
  { temperature, seed, maxOutputTokens }: JudgeSettings,
  needs: NeededSettings,
): Promise<Check[]> {
  const given = {
    structuredOutput: 'text',
    maxOutputTokens: needs.maxOutputTokens ?? maxOutputTokens,
  } as const;
  const warm = await probe({ ...given, temperature: temperature ?? 0 }, POLITE);
  const seeded = await probe({ ...given, temperature: null }, POLITE, seed ?? 1);
  const rejects = ({ rejected, error }: Probe, name: string): boolean =>
    rejected.includes(name) || error !== null;
  if (rejects(warm, 'temperature') && temperature !== null) needs.temperature = null;
  if (rejects(seeded, 'seed') && seed !== null) needs.seed = null;
  const words = (found: Probe, name: string, isSet: boolean): Check =>
    !rejects(found, name)
      ? ok(`Parameter ${name}`, 'The endpoint takes it.')
      : isSet
        ? warning(`Parameter ${name}`, 'The endpoint rejects it.', `Set ${name} to null.`)
        : ok(`Parameter ${name}`, 'The endpoint rejects it, and it is not sent.');
  const limit = [warm, seeded].some(({ rejected }) => rejected.includes('max_tokens'))
    ? 'The endpoint takes max_completion_tokens, which is sent after its first rejection.'
    : 'The endpoint takes the limit of tokens.';
  return [
    words(warm, 'temperature', temperature !== null),
    words(seeded, 'seed', seed !== null),
    ok('Parameter max_tokens', limit),
  ];
}

/** Finds out whether texts that an app may write keep the endpoint from answering. */
async function harmful(probe: SendProbe): Promise<Check> {
  const { fits, response, error } = await probe({ structuredOutput: 'text', temperature: null }, HARMFUL);
  const why = response?.problem ?? error?.message ?? 'the response is no answer';
  return fits
    ? ok('Harmful texts', 'The endpoint judges an insult and a threat.')
    : warning(
        'Harmful texts',
        `It does not judge an insult and a threat: ${why}`,
        'Do not use it for TOXICITY.',
      );
}

/** Compares embeddings of three texts, of which the endpoint may return those in another order. */
async function embeddings(settings: JudgeSettings, signal: AbortSignal): Promise<Check[]> {
  const name = 'Embeddings';
  const compare = openCompare(settings, createJudgeFetch(settings));
  if (compare === null) return [];
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]);
    const { value } = await compare([POLITE, HARMFUL, POLITE], limit);
    const { similarities } = JSON.parse(value.raw) as { similarities: number[] };
    const [other = 1, same = 0] = similarities.map(settled);
    return [
      same > 0.99 && other < same
        ? ok(name, `Equal texts have the similarity ${same}, different ones ${other}.`)
        : problem(
            name,
            `Equal texts have the similarity ${same}, different ones ${other}.`,
            'Use another embeddingModel.',
          ),
    ];
  } catch (error) {
    signal.throwIfAborted();
    const words = error instanceof JudgeError ? error.message : 'no response in time';
    return [problem(name, words, 'Check embeddingModel.')];
  }
}
