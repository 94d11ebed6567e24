import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AISDKError, APICallError, generateText, type LanguageModel, Output } from 'ai';
import type { z } from 'zod';
import { maskSecret } from '../../runtime/mask.ts';
import { JudgeError } from './judge-error.ts';
import type { JudgeSettings } from './settings.ts';
import { createJudgeFetch } from './transport.ts';

const MAX_MESSAGE = 500;

// Otherwise the package writes a warning to the console for each option that a provider does not support, such as a
// seed.
globalThis.AI_SDK_LOG_WARNINGS = false;

export interface ModelRequest {
  system: string;
  messages: readonly { role: 'user' | 'assistant'; content: string }[];
  answer: z.ZodType;
  seed: number | null;
}

export interface ModelReply {
  /** Text as received; it may not fit the schema. */
  raw: string;
  /** Name of the model, as the response reports it. */
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** Sends one request once. Throws JudgeError, and the reason of the signal when that aborts. */
export type SendToModel = (request: ModelRequest, signal: AbortSignal) => Promise<ModelReply>;

export function openModel(settings: JudgeSettings): SendToModel {
  const { temperature, maxOutputTokens, apiKey } = settings;
  const model = languageModel(settings);
  return async ({ system, messages, answer, seed }, signal) => {
    try {
      const { text, usage, finalStep } = await generateText({
        model,
        instructions: system,
        messages: [...messages],
        ...outputOf(settings, answer),
        ...(temperature !== null && { temperature }),
        ...(seed !== null && { seed }),
        maxOutputTokens,
        maxRetries: 0,
        telemetry: { isEnabled: false },
        abortSignal: signal,
      });
      const { inputTokens = null, outputTokens = null } = usage;
      const { modelId } = finalStep.response;
      return {
        raw: maskSecret(text, apiKey),
        model: maskSecret(modelId, apiKey),
        inputTokens,
        outputTokens,
      };
    } catch (error) {
      if (signal.aborted) throw error;
      throw judgeErrorOf(error, apiKey);
    }
  };
}

function languageModel({ provider, baseUrl, apiKey, model, structuredOutput }: JudgeSettings): LanguageModel {
  const fetch = createJudgeFetch();
  // Without a key, the package would look for one in the environment.
  if (provider === 'anthropic')
    return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch })(model);
  return createOpenAICompatible({
    name: 'judge',
    baseURL: baseUrl,
    ...(apiKey !== null && { apiKey }),
    supportsStructuredOutputs: structuredOutput === 'json_schema',
    fetch,
  })(model);
}

/** Describes the schema of the response to the endpoint. Only this service parses and validates responses. */
function outputOf({ structuredOutput }: JudgeSettings, answer: z.ZodType) {
  if (structuredOutput === 'text') return {};
  const output = structuredOutput === 'json_schema' ? Output.object({ schema: answer }) : Output.json();
  return { output: { ...output, parseCompleteOutput: async () => undefined } };
}

function judgeErrorOf(error: unknown, apiKey: string | null): unknown {
  if (!AISDKError.isInstance(error)) return error;
  if (!APICallError.isInstance(error) || (error.statusCode ?? 0) < 300)
    return new JudgeError(
      'judge_bad_answer',
      'the response of the endpoint does not have the format of its API',
    );
  const { statusCode: status = 0, responseHeaders, responseBody = '' } = error;
  const detail = truncate(maskSecret((error.message || responseBody).trim(), apiKey));
  const message = `the endpoint responded with ${status}${detail && `: ${detail}`}`;
  if (status === 408 || status === 409 || status === 429 || status >= 500) {
    const retryAfterMs = retryAfterOf(responseHeaders?.['retry-after']);
    return new JudgeError('judge_unreachable', message, { isPassing: true, retryAfterMs });
  }
  return new JudgeError('judge_refused', message);
}

const truncate = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;

/** Parses a Retry-After header, in seconds or as a date. */
function retryAfterOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
