import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type LanguageModel, Output } from 'ai';
import type { z } from 'zod';
import { isObject } from '../../contract/is-object.ts';
import { maskSecret } from '../../runtime/mask.ts';
import type { ModelReply, ModelRequest } from './model-request.ts';
import type { OptionalParameter } from './rejected-parameters.ts';
import { judgeErrorOf } from './response-error.ts';
import type { JudgeSettings } from './settings.ts';

// Otherwise the package writes a warning to the console for each option that a provider does not support, such as a
// seed.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Sends one request once. Throws JudgeError, and the reason of the signal when that aborts. */
export type SendRequest = (request: ModelRequest, signal: AbortSignal) => Promise<ModelReply>;

interface Endpoint {
  model: LanguageModel;
  settings: JudgeSettings;
  rejected: ReadonlySet<OptionalParameter>;
}

/** Opens the endpoint of a model. Requests omit the parameters that are in `rejected` when they are sent. */
export function openEndpoint(
  settings: JudgeSettings,
  rejected: ReadonlySet<OptionalParameter>,
  fetch: typeof globalThis.fetch,
): SendRequest {
  const model = languageModel(settings, rejected, fetch);
  return (request, signal) => generate({ model, settings, rejected }, request, signal);
}

async function generate(
  { model, settings, rejected }: Endpoint,
  { system, messages, answer, seed }: ModelRequest,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { temperature, maxOutputTokens, apiKey } = settings;
  try {
    const { text, usage, finalStep } = await generateText({
      model,
      instructions: system,
      messages: [...messages],
      ...(!rejected.has('response_format') && outputOf(settings, answer)),
      ...(temperature !== null && !rejected.has('temperature') && { temperature }),
      ...(seed !== null && !rejected.has('seed') && { seed }),
      maxOutputTokens,
      maxRetries: 0,
      telemetry: { isEnabled: false },
      include: { responseBody: true },
      abortSignal: signal,
    });
    const { inputTokens = null, outputTokens = null } = usage;
    const { modelId, body } = finalStep.response;
    return {
      raw: maskSecret(text, apiKey),
      model: maskSecret(modelId, apiKey),
      fingerprint: fingerprintOf(body, apiKey),
      inputTokens,
      outputTokens,
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
  rejected: ReadonlySet<OptionalParameter>,
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
      return rejected.has('max_tokens') ? { ...rest, max_completion_tokens: limit } : body;
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
