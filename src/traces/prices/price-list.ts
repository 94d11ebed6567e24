import { foldName, MAX_NAME, spellings } from './model-names.ts';
import type { ModelPrice, PriceTable, TokenPrice } from './model-price.ts';
import { MODEL_PRICES } from './table.ts';

/** Tokens of one model call. As in OpenTelemetry, input includes tokens read from or written to a cache. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Tokens among those written that a cache keeps for an hour, not for minutes. */
  cacheWriteHourTokens?: number;
  /** Tokens among the input, among those read from a cache, and among the output that are audio. */
  audio?: { inputTokens: number; cacheReadTokens: number; outputTokens: number };
}

export interface FoundPrice {
  price: ModelPrice;
  /** Name of the price in the table. */
  name: string;
}

export interface PriceList {
  /** Finds the price of a model by a name that senders use; null when there is none. Never throws. */
  find(model: string, provider?: string | null): FoundPrice | null;
  /** Computes the cost in US dollars; null if the price has none for audio, and some tokens are. Counts must not be negative. */
  cost(usage: TokenUsage, price: ModelPrice): number | null;
}

const MAX_REMEMBERED = 4096;
const CONTROL_CHARACTER = /\p{Cc}/u;
const FREE_VARIANT = ':free';
const FREE: ModelPrice = { input: 0, output: 0 };

/**
 * Providers that run on the sender's own machines: their tokens cost nothing, even if others sell the same models.
 */
const SELF_HOSTED: ReadonlySet<string> = new Set([
  'hosted_vllm',
  'llamafile',
  'lm_studio',
  'ollama',
  'ollama_chat',
  'vllm',
]);

/** Creates a list of `overrides`, and of the built-in table for other models. */
export function createPriceList(overrides: PriceTable = {}): PriceList {
  const own = createIndex(overrides);
  const builtIn = createIndex(MODEL_PRICES);
  const remembered = new Map<string, FoundPrice | null>();

  const search = (model: string, provider: string): FoundPrice | null => {
    const names = candidates(model, provider);
    const found = own.find(names) ?? (isSelfHosted(model, provider) ? null : builtIn.find(names));
    const free = found && model.endsWith(FREE_VARIANT) && !found.name.endsWith(FREE_VARIANT);
    return free ? { ...found, price: FREE } : found;
  };

  return {
    find: (model, provider) => {
      if (model.length > MAX_NAME || CONTROL_CHARACTER.test(model)) return null;
      const host = provider && provider.length <= MAX_NAME ? provider : '';
      const key = `${host}\0${model}`;
      const known = remembered.get(key);
      if (known !== undefined) return known;
      const found = search(model.trim(), host.trim());
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, found);
      return found;
    },
    cost,
  };
}

/** Price of tokens that a cache keeps for an hour, as a multiple of other input; only Anthropic reports them. */
const HOUR_FACTOR = 2;

function cost(usage: TokenUsage, price: ModelPrice): number | null {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens = 0 } = usage;
  const { long } = price;
  const rates = long !== undefined && inputTokens > long.above ? long : price;
  const { input, output, cacheRead = input, cacheWrite = input } = rates;
  const audio = costOfAudio(usage, rates);
  if (audio === null) return null;
  const uncachedTokens = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens - audio.inputTokens);
  const hourTokens = Math.min(cacheWriteHourTokens, cacheWriteTokens);
  const millionths =
    uncachedTokens * input +
    (cacheReadTokens - audio.cacheReadTokens) * cacheRead +
    (cacheWriteTokens - hourTokens) * cacheWrite +
    hourTokens * input * HOUR_FACTOR +
    (outputTokens - audio.outputTokens) * output +
    audio.millionths;
  return millionths / 1e6;
}

const NO_AUDIO = { inputTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

/** Returns the tokens of a call that are audio, those of the input without cached ones, and their cost; null if it is unknown. */
function costOfAudio(
  { inputTokens, cacheReadTokens, outputTokens, audio = NO_AUDIO }: TokenUsage,
  { audioInput, audioOutput, audioCacheRead = audioInput }: TokenPrice,
): (typeof NO_AUDIO & { millionths: number }) | null {
  const cached = Math.min(audio.cacheReadTokens, cacheReadTokens);
  const input = Math.max(0, Math.min(audio.inputTokens, inputTokens) - cached);
  const output = Math.min(audio.outputTokens, outputTokens);
  if (input + cached + output === 0) return { ...NO_AUDIO, millionths: 0 };
  if (audioInput === undefined || audioOutput === undefined || audioCacheRead === undefined) return null;
  const millionths = input * audioInput + cached * audioCacheRead + output * audioOutput;
  return { inputTokens: input, cacheReadTokens: cached, outputTokens: output, millionths };
}

/** Finds the first of several names in the table, exactly or normalised. */
function createIndex(table: PriceTable): { find(names: readonly string[]): FoundPrice | null } {
  const entries = Object.entries(table).map(([name, price]) => ({ name, price }));
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byFoldedName = new Map(entries.map((entry) => [foldName(entry.name), entry]));
  return {
    find: (names) => {
      for (const name of names) {
        const found = byName.get(name) ?? byFoldedName.get(foldName(name));
        if (found) return found;
      }
      return null;
    },
  };
}

/** Returns the names to look up, each first with its provider. */
function candidates(model: string, provider: string): string[] {
  const names = spellings(model);
  return provider === '' ? names : names.flatMap((name) => [`${provider}/${name}`, name]);
}

function isSelfHosted(model: string, provider: string): boolean {
  return [provider, ...model.split('/', 1)].some((host) => SELF_HOSTED.has(host.toLowerCase()));
}
