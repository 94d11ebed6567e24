import { readFileSync, statSync } from 'node:fs';
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
} from '../evaluate/judge/settings.ts';
import type { PriceList } from '../traces/prices/price-list.ts';

const MAX_BYTES = 2 ** 20;

type Environment = Readonly<Record<string, string | undefined>>;
type JudgeConfig = Pick<
  Config,
  | 'judgesFile'
  | 'judgeProvider'
  | 'judgeBaseUrl'
  | 'judgeApiKey'
  | 'judgeModel'
  | 'judgeMode'
  | 'judgeRecordings'
>;

/**
 * Reads the judges of the settings: those of the file, else the one of the plain settings, named `default`, else
 * none. Keys that the file refers to by `apiKeyEnv` are read from `env`. Throws StartupError when a setting is
 * invalid.
 */
export function readJudges(config: JudgeConfig, env: Environment, prices: PriceList): JudgesSettings {
  const { judgesFile: path, judgeModel, judgeMode: mode, judgeRecordings: folder } = config;
  if (path !== null && judgeModel !== null)
    throw new StartupError('TOUCHSTONE_JUDGES_FILE and TOUCHSTONE_JUDGE_MODEL must not both be set.');
  if (judgeModel === null && (config.judgeBaseUrl !== null || config.judgeApiKey !== null))
    throw new StartupError('TOUCHSTONE_JUDGE_MODEL must be set too, because a judge needs a model.');
  if (mode !== 'live' && folder === null)
    throw new StartupError(`TOUCHSTONE_JUDGE_RECORDINGS must be set with the judge mode ${mode}.`);
  if (path === null && judgeModel === null) return NO_JUDGES;

  const wrong = (problem: string): never => {
    throw new StartupError(
      path === null ? `The settings of the judge: ${problem}.` : `The judges file ${path}: ${problem}.`,
    );
  };
  const given = path === null ? ofPlainSettings(config) : parse(readText(path, wrong), wrong);
  const checked = judgesFile.safeParse(given);
  const {
    judges: named,
    default: byDefault,
    dailyCostLimit,
    runCostLimit,
  } = checked.data ?? wrong(issueText(checked.error));
  const judges = Object.entries(named).map(([name, judge]) =>
    settingsOf(name, judge, { env, prices, wrong }),
  );
  const unpriced = judges.find((judge) => judge.prices === null);
  if (unpriced && (dailyCostLimit !== null || runCostLimit !== null))
    wrong(`judges.${unpriced.name}.prices is required with a cost limit`);
  const [first] = judges;
  return {
    judges,
    default:
      byDefault ??
      (judges.length === 1 && first ? first.name : wrong('default is required with several judges')),
    dailyCostLimit,
    runCostLimit,
    mode,
    folder,
  };
}

const ofPlainSettings = ({ judgeProvider, judgeBaseUrl, judgeApiKey, judgeModel }: JudgeConfig): unknown => ({
  judges: {
    default: {
      provider: judgeProvider,
      model: judgeModel,
      ...(judgeBaseUrl !== null && { baseUrl: judgeBaseUrl }),
      ...(judgeApiKey !== null && { apiKey: judgeApiKey }),
    },
  },
});

function settingsOf(
  name: string,
  { apiKey, apiKeyEnv, ...judge }: JudgesFile['judges'][string],
  { env, prices, wrong }: { env: Environment; prices: PriceList; wrong: (problem: string) => never },
): JudgeSettings {
  const keyIn = (variable: string | undefined): string => {
    if (!variable) return wrong(`judges.${name}.apiKeyEnv names a variable that is not set`);
    const { data, error } = judgeKey.safeParse(variable);
    return data ?? wrong(`judges.${name}.apiKeyEnv names a variable whose value ${issueText(error)}`);
  };
  const key = apiKeyEnv === undefined ? apiKey : keyIn(env[apiKeyEnv]);
  return { ...judge, name, apiKey: key ?? null, prices: judge.prices ?? listedPrices(judge, prices) };
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

function readText(path: string, wrong: (problem: string) => never): string {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) wrong('it is not a file');
    if (stats.size > MAX_BYTES) wrong(`it is larger than ${MAX_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    return wrong(code === 'ENOENT' ? 'it does not exist' : `it cannot be read (${code})`);
  }
}

function parse(text: string, wrong: (problem: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return wrong('it is not JSON');
  }
}

function issueText(error: z.ZodError | undefined): string {
  const [issue] = error?.issues ?? [];
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'the value is not valid'}`;
}
