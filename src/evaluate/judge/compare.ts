import type { Compare } from './embeddings.ts';
import type { JudgeSettings } from './settings.ts';

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
