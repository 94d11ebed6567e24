import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type LanguageModel, Output } from 'ai';
import type { z } from 'zod';
import { isObject } from '../../contract/is-object.ts';
import { maskSecret } from '../../runtime/mask.ts';
import type { ModelRequest, ModelResponse } from './model-request.ts';
import { resetOf } from '../slow-down.ts';
import { answerProblem } from './answer-problem.ts';
import type { OptionalParameter } from './rejected-parameters.ts';
import { judgeErrorOf } from './response-error.ts';
import type { JudgeSettings } from './settings.ts';

// Otherwise the package writes a warning to the console for each option that a provider does not support, such as a
// seed.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Sends one request once, without the parameters that are left out. Throws JudgeError, and the reason of the signal when that
 * aborts.
 */
export type SendRequest = (
  request: ModelRequest,
  leftOut: ReadonlySet<OptionalParameter>,
  signal: AbortSignal,
) => Promise<ModelResponse>;

interface Endpoint {
  model: LanguageModel;
  settings: JudgeSettings;
  leftOut: ReadonlySet<OptionalParameter>;
}

/** Opens the endpoint of a model. */
export const openEndpoint =
  (settings: JudgeSettings, fetch: typeof globalThis.fetch): SendRequest =>
  (request, leftOut, signal) =>
    generate({ model: languageModel(settings, leftOut, fetch), settings, leftOut }, request, signal);

async function generate(
  { model, settings, leftOut }: Endpoint,
  { system, messages, answer, seed }: ModelRequest,
  signal: AbortSignal,
): Promise<ModelResponse> {
  const { temperature, maxOutputTokens, apiKey } = settings;
  try {
    const { text, usage, finalStep, finishReason } = await generateText({
      model,
      instructions: system,
      messages: [...messages],
      ...(!leftOut.has('response_format') && outputOf(settings, answer)),
      ...(temperature !== null && !leftOut.has('temperature') && { temperature }),
      ...(seed !== null && !leftOut.has('seed') && { seed }),
      maxOutputTokens,
      maxRetries: 0,
      telemetry: { isEnabled: false },
      include: { responseBody: true },
      abortSignal: signal,
    });
    const { inputTokens = null, outputTokens = null } = usage;
    const { modelId, body, headers = {} } = finalStep.response;
    const value = {
      raw: maskSecret(text, apiKey),
      model: maskSecret(modelId, apiKey),
      fingerprint: fingerprintOf(body, apiKey),
      inputTokens,
      outputTokens,
    };
    const ending = { finish: finishReason, text, reasoning: finalStep.reasoningText ?? '' };
    const problem = answerProblem(ending, body);
    return {
      value,
      problem: problem && maskSecret(problem, apiKey),
      pauseMs: resetOf(headers, Date.now()),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    throw judgeErrorOf(error, apiKey);
  }
}

const MAX_FINGERPRINT = 200;

function fingerprintOf(body: unknown, apiKey: string | null): string | null {
  const fingerprint = isObject(body) ? body['system_fingerprint'] : undefined;
  return typeof fingerprint === 'string' && fingerprint !== ''
    ? maskSecret(fingerprint.slice(0, MAX_FINGERPRINT), apiKey)
    : null;
}

function languageModel(
  { provider, baseUrl, apiKey, model, structuredOutput }: JudgeSettings,
  leftOut: ReadonlySet<OptionalParameter>,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  // Without a key, the package would look for one in the environment.
  if (provider === 'anthropic')
    return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch })(model);
  return createOpenAICompatible({
    name: 'judge',
    baseURL: baseUrl,
    ...(apiKey !== null && { apiKey }),
    supportsStructuredOutputs: structuredOutput === 'json_schema',
    transformRequestBody: (body: Record<string, unknown>) => {
      const { max_tokens: limit, ...rest } = body;
      return leftOut.has('max_tokens') ? { ...rest, max_completion_tokens: limit } : body;
    },
    fetch,
  })(model);
}

/** Describes the schema of the response to the endpoint. Only this service parses and validates responses. */
function outputOf({ structuredOutput }: JudgeSettings, answer: z.ZodType) {
  if (structuredOutput === 'text') return {};
  const output = structuredOutput === 'json_schema' ? Output.object({ schema: answer }) : Output.json();
  return { output: { ...output, parseCompleteOutput: async () => undefined } };
}
