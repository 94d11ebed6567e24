import type { RetrievedDocument } from '../subject.ts';

/** Shown to the judge; the rest is not judged. */
const MAX_DOCUMENTS = 50;
const MAX_SENTENCES = 500;
/** Limit for all lines together, low enough that a prompt truncates none of them. */
const MAX_CHARACTERS = 90_000;
/** Limit for one document, before its sentences are numbered. */
const MAX_OF_DOCUMENT = 45_000;

/** A document as the judge sees it: a sentence a line, numbered through all documents from 1. */
interface NumberedDocument {
  text: string;
  /** More of it is not shown. */
  isTruncated: boolean;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Documents that have a sentence, in their order, as far as they can be shown, and how many there are in all. */
export function numberSentences(documents: readonly RetrievedDocument[]): {
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

/** Each on one line, so that no sentence can pass for several. */
function* sentencesOf(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) {
    const sentence = segment.replace(/\s+/g, ' ').trim();
    if (sentence !== '') yield sentence;
  }
}
