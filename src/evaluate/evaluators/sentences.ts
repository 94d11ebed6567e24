import type { SubjectDocument } from '../subject.ts';

/** Most documents that the judge sees. */
const MAX_DOCUMENTS = 50;
const MAX_SENTENCES = 500;
/** Limit of characters of all lines, low enough that no prompt truncates them. */
const MAX_CHARACTERS = 90_000;
/** Limit of characters of one document, before its sentences are numbered. */
const MAX_OF_DOCUMENT = 45_000;

/** A document as the judge sees it: one sentence per line, numbered through all documents from 1. */
interface NumberedDocument {
  text: string;
  /** True if only the beginning of the document is shown. */
  isTruncated: boolean;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Numbers the sentences of documents. Returns the documents with a sentence, in their order, as far as they can be
 * shown, and the number of all documents.
 */
export function numberSentences(documents: readonly SubjectDocument[]): {
  shown: NumberedDocument[];
  sentences: number;
  inAll: number;
} {
  const filled = documents.filter(({ content }) => content.trim() !== '');
  const shown: NumberedDocument[] = [];
  let sentences = 0;
  let characters = 0;
  for (const { content } of filled.slice(0, MAX_DOCUMENTS)) {
    const lines: string[] = [];
    let isTruncated = content.length > MAX_OF_DOCUMENT;
    for (const sentence of sentencesOf(content.slice(0, MAX_OF_DOCUMENT))) {
      const line = `[${sentences + 1}] ${sentence}`;
      characters += line.length + 1;
      if (sentences === MAX_SENTENCES || characters > MAX_CHARACTERS) {
        isTruncated = true;
        break;
      }
      sentences += 1;
      lines.push(line);
    }
    if (lines.length === 0) break;
    shown.push({ text: lines.join('\n'), isTruncated });
  }
  return { shown, sentences, inAll: filled.length };
}

/** Yields sentences, each on one line so that none can imitate several. */
function* sentencesOf(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) {
    const sentence = segment.replace(/\s+/g, ' ').trim();
    if (sentence !== '') yield sentence;
  }
}
