import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany } from 'ai';
import { maskSecret } from '../../runtime/mask.ts';
import { cosine } from '../measures/cosine.ts';
import { settled } from '../statistics/settled.ts';
import { resetOf } from '../slow-down.ts';
import { JudgeError } from './judge-error.ts';
import type { ModelResponse } from './model-request.ts';
import { judgeErrorOf } from './response-error.ts';
import type { JudgeSettings } from './settings.ts';

/**
 * Compares the first text with each of the others. The text of the reply is JSON, `{ similarities }`: the embeddings
 * themselves are long and not kept. Throws JudgeError, and the reason of the signal when that aborts.
 */
export type Compare = (texts: readonly string[], signal: AbortSignal) => Promise<ModelResponse>;

/** Opens the endpoint of an embedding model. */
export function openEmbeddings(
  { baseUrl, apiKey }: JudgeSettings,
  embeddingModel: string,
  fetch: typeof globalThis.fetch,
): Compare {
  const provider = createOpenAICompatible({
    name: 'judge',
    baseURL: baseUrl,
    ...(apiKey !== null && { apiKey }),
    fetch,
  });
  const model = provider.embeddingModel(embeddingModel);
  return async (texts, signal) => {
    try {
      const { embeddings, usage, responses } = await embedMany({
        model,
        values: [...texts],
        maxRetries: 0,
        telemetry: { isEnabled: false },
        abortSignal: signal,
      });
      const [first = [], ...others] = embeddings;
      const similarities = others.map((other) => settled(cosine(first, other)));
      const isZero = embeddings.some((embedding) => embedding.every((value) => value === 0));
      if (isZero)
        throw new JudgeError(
          'judge_bad_answer',
          'the endpoint returned an embedding of zeros, which resembles nothing; check embeddingModel of the judge',
        );
      const inputTokens = Number.isFinite(usage.tokens) ? usage.tokens : null;
      const value = {
        raw: JSON.stringify({ similarities }),
        model: maskSecret(embeddingModel, apiKey),
        fingerprint: null,
        inputTokens,
        outputTokens: inputTokens === null ? null : 0,
      };
      const headers = responses?.[0]?.headers ?? {};
      return { value, problem: null, pauseMs: resetOf(headers, Date.now()) };
    } catch (error) {
      if (signal.aborted) throw error;
      throw judgeErrorOf(error, apiKey);
    }
  };
}
