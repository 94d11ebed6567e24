import type { ModelReply } from './model.ts';
import type { JudgeSettings } from './settings.ts';

/**
 * Compares the first text with each of the others. The text of the reply is JSON, `{ similarities }`: the embeddings
 * themselves are long and not kept. Throws JudgeError, and the reason of the signal when that aborts.
 */
export type Compare = (texts: readonly string[], signal: AbortSignal) => Promise<ModelReply>;

/** Returns null for a judge without an embedding model. */
export function openCompare(settings: JudgeSettings, fetch: typeof globalThis.fetch): Compare | null {
  const { embeddingModel } = settings;
  if (embeddingModel === null) return null;
  // Loaded at once, as in openModel.
  const opening = import('./embeddings.ts').then(({ openEmbeddings }) =>
    openEmbeddings(settings, embeddingModel, fetch),
  );
  opening.catch(() => {});
  return async (texts, signal) => (await opening)(texts, signal);
}
