import type { z } from 'zod';
import type { Config } from '../config.ts';
import { StartupError } from '../errors.ts';
import {
  type JudgeSettings,
  judgeKey,
  type JudgesFile,
  judgesFile,
  type JudgesSettings,
  NO_JUDGES,
  promptModel,
} from '../evaluate/judge/settings.ts';
import type { PriceList } from '../traces/prices/price-list.ts';
import { readJsonFile } from './read-json-file.ts';

const MAX_BYTES = 2 ** 20;

type Environment = Readonly<Record<string, string | undefined>>;
type JudgeConfig = Pick<
  Config,
  | 'judgesFile'
  | 'judgeProvider'
  | 'judgeBaseUrl'
  | 'judgeApiKey'
  | 'judgeModel'
  | 'promptProvider'
  | 'promptBaseUrl'
  | 'promptApiKey'
  | 'promptModel'
  | 'judgeMode'
  | 'judgeRecordings'
>;

/** Name of the prompt model, beside those of the judges. */
const PROMPT_MODEL = 'promptModel';

interface Reading {
  env: Environment;
  prices: PriceList;
  /** Throws StartupError with the problem. */
  wrong: (problem: string) => never;
}

/**
 * Reads the judges of the settings: those of the file, else the one of the plain settings, named `default`, else
 * none; and the prompt model. Keys that the file refers to by `apiKeyEnv` are read from `env`. Throws StartupError when
 * a setting is invalid.
 */
export function readJudges(config: JudgeConfig, env: Environment, prices: PriceList): JudgesSettings {
  const { judgesFile: path, judgeModel, judgeMode: mode, judgeRecordings: folder } = config;
  checkPlainSettings(config);
  const wrong = (problem: string): never => {
    throw new StartupError(
      path === null ? `The settings of the judge: ${problem}.` : `The judges file ${path}: ${problem}.`,
    );
  };
  const plainPrompts = plainPromptModel(config, { env, prices });
  if (path === null && judgeModel === null) return { ...NO_JUDGES, promptModel: plainPrompts, mode, folder };
  const given =
    path === null
      ? ofPlainSettings(config)
      : readJsonFile(path, MAX_BYTES, (problem) => wrong(`it ${problem}`));
  const checked = judgesFile.safeParse(given);
  const { judges: named, default: byDefault, ...rest } = checked.data ?? wrong(issueText(checked.error));
  const { promptModel: promptsOfFile, ...limits } = rest;
  const reading = { env, prices, wrong };
  const judges = Object.entries(named).map(([name, judge]) => settingsOf(name, judge, reading));
  if (promptsOfFile && plainPrompts) wrong('promptModel and TOUCHSTONE_PROMPT_MODEL must not both be set');
  const prompts = promptsOfFile ? settingsOf(PROMPT_MODEL, promptsOfFile, reading) : plainPrompts;
  checkPrices([...judges, ...(prompts ? [prompts] : [])], limits, wrong);
  const [first] = judges;
  return {
    judges,
    default:
      byDefault ??
      (judges.length === 1 && first ? first.name : wrong('default is required with several judges')),
    promptModel: prompts,
    ...limits,
    mode,
    folder,
  };
}

function checkPlainSettings(config: JudgeConfig): void {
  const { judgesFile: path, judgeModel, judgeMode: mode, judgeRecordings: folder } = config;
  if (path !== null && judgeModel !== null)
    throw new StartupError('TOUCHSTONE_JUDGES_FILE and TOUCHSTONE_JUDGE_MODEL must not both be set.');
  if (judgeModel === null && (config.judgeBaseUrl !== null || config.judgeApiKey !== null))
    throw new StartupError('TOUCHSTONE_JUDGE_MODEL must be set too, because a judge needs a model.');
  if (config.promptModel === null && (config.promptBaseUrl !== null || config.promptApiKey !== null))
    throw new StartupError(
      'TOUCHSTONE_PROMPT_MODEL must be set too, because no prompt is written without it.',
    );
  if (mode !== 'live' && folder === null)
    throw new StartupError(`TOUCHSTONE_JUDGE_RECORDINGS must be set with the judge mode ${mode}.`);
}

/** Reads the prompt model of the plain settings; null if there is none. */
function plainPromptModel(
  { promptProvider, promptBaseUrl, promptApiKey, promptModel: model }: JudgeConfig,
  reading: Omit<Reading, 'wrong'>,
): JudgeSettings | null {
  if (model === null) return null;
  const wrong = (problem: string): never => {
    throw new StartupError(`The settings of the prompt model: ${problem}.`);
  };
  const checked = promptModel.safeParse(ofPlain(promptProvider, promptBaseUrl, promptApiKey, model));
  return settingsOf(PROMPT_MODEL, checked.data ?? wrong(issueText(checked.error)), { ...reading, wrong });
}

/** Rejects a cost limit that cannot be kept, because the price of a model is unknown. */
function checkPrices(
  models: readonly JudgeSettings[],
  { dailyCostLimit, runCostLimit }: Pick<JudgesSettings, 'dailyCostLimit' | 'runCostLimit'>,
  wrong: Reading['wrong'],
): void {
  const unpriced = models.find((model) => model.prices === null);
  if (unpriced && (dailyCostLimit !== null || runCostLimit !== null))
    wrong(`${pathOf(unpriced.name)}.prices is required with a cost limit`);
}

/** Path of a model in the judges file. */
const pathOf = (name: string): string => (name === PROMPT_MODEL ? name : `judges.${name}`);

const ofPlain = (
  provider: string,
  baseUrl: string | null,
  apiKey: string | null,
  model: string | null,
): object => ({
  provider,
  model,
  ...(baseUrl !== null && { baseUrl }),
  ...(apiKey !== null && { apiKey }),
});

const ofPlainSettings = ({ judgeProvider, judgeBaseUrl, judgeApiKey, judgeModel }: JudgeConfig): unknown => ({
  judges: { default: ofPlain(judgeProvider, judgeBaseUrl, judgeApiKey, judgeModel) },
});

function settingsOf(
  name: string,
  { apiKey, apiKeyEnv, headers, headersEnv, ...judge }: JudgesFile['judges'][string],
  { env, prices, wrong }: Reading,
): JudgeSettings {
  const keyIn = (variable: string | undefined): string => {
    if (!variable) return wrong(`${pathOf(name)}.apiKeyEnv names a variable that is not set`);
    const { data, error } = judgeKey.safeParse(variable);
    return data ?? wrong(`${pathOf(name)}.apiKeyEnv names a variable whose value ${issueText(error)}`);
  };
  const key = apiKeyEnv === undefined ? apiKey : keyIn(env[apiKeyEnv]);
  const fromEnv = Object.entries(headersEnv).map(([header, variable]) => {
    const value = env[variable];
    if (!value || !/^[\x20-\x7e]+$/.test(value))
      return wrong(
        `${pathOf(name)}.headersEnv.${header} names a variable that is not set, or not visible ASCII`,
      );
    return [header, value];
  });
  const all = { ...headers, ...(Object.fromEntries(fromEnv) as typeof headers) };
  return {
    ...judge,
    name,
    headers: all,
    apiKey: key ?? null,
    prices: judge.prices ?? listedPrices(judge, prices),
  };
}

/**
 * Returns the list prices of a model; null for a model on the operator's own machine, to which list prices do not
 * apply.
 */
function listedPrices(
  { provider, model, baseUrl }: Pick<JudgeSettings, 'provider' | 'model' | 'baseUrl'>,
  prices: PriceList,
): JudgeSettings['prices'] {
  const found = baseUrl.startsWith('https:')
    ? prices.find(model, provider === 'anthropic' ? provider : null)
    : null;
  return found && { input: found.price.input, output: found.price.output };
}

function issueText(error: z.ZodError | undefined): string {
  const [issue] = error?.issues ?? [];
  const path = issue?.path.map(String).join('.') ?? '';
  const message = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  return `${path === '' ? '' : `${path}: `}${message ?? 'the value is not valid'}`;
}
