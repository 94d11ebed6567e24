const MAX_SENTENCES = 1_000;

/** Returns the first sentences of a text, trimmed, by the rules of its language if they are known. */
export function sentencesOf(content: string, language: string): string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenterOf(language).segment(content)) {
    const sentence = segment.trim();
    if (sentence !== '') sentences.push(sentence);
    if (sentences.length === MAX_SENTENCES) break;
  }
  return sentences;
}

function segmenterOf(language: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language, { granularity: 'sentence' });
  } catch {
    return new Intl.Segmenter('en', { granularity: 'sentence' });
  }
}
