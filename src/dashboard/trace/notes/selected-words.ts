import type { NotableText } from './noted-span.ts';
import { beginningOf, nearestPlace, placesOfWords, samePlace } from './quoted-words.ts';
import { shownText } from './shown-text.ts';
import type { NoteTarget, QuotedWords } from './trace-notes-context.ts';

/** Most characters that a note quotes. */
export const MAX_QUOTE = 2_048;

type Texts = ReadonlyMap<HTMLElement, NotableText>;

/** Words that are selected on the page, and where they end on the screen. */
export interface SelectedWords {
  target: NoteTarget;
  at: { x: number; y: number };
}

/** Returns the selected words of the first text that notes can quote; null if none are selected. */
export function selectedWords(texts: Texts): SelectedWords | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const touched = inOrder(texts).flatMap(([element, text]) => {
    const part = partIn(range, element);
    return part === null ? [] : [{ element, text, part }];
  });
  const [first] = touched;
  if (first === undefined) return null;
  const isAll = touched.length === 1 && first.element.contains(range.commonAncestorContainer);
  // The browser adds line ends between the paragraphs that it shows.
  const words = (isAll ? selection.toString() : first.part.toString()).trim();
  const rects = first.part.getClientRects();
  const last = rects[rects.length - 1];
  if (words === '' || last === undefined) return null;
  return {
    target: {
      spanId: first.text.spanId,
      words: quoted(first.text, { words, ...shownAt(first) }),
      ...(words.length > MAX_QUOTE ? { leftOut: 'LONG' } : touched.length > 1 && { leftOut: 'OTHER_TEXTS' }),
    },
    at: { x: last.right, y: last.bottom },
  };
}

/** Finds words in the texts of a span that are on the page; null if none of them contains the words. */
export function findWords(texts: Texts, spanId: string | null, words: string): QuotedWords | null {
  const own = inOrder(texts).filter(([, text]) => text.spanId === spanId || text.also.includes(spanId));
  for (const field of ['OUTPUT', 'INPUT'] as const)
    for (const [element, text] of own) {
      if (text.field !== field) continue;
      const shown = shownText(element).text;
      const place = nearestPlace(placesOfWords(shown, words), 0);
      if (place !== undefined) return quoted(text, { words, text: shown, start: place.start });
    }
  return null;
}

/** Returns whether texts of a span are on the page. */
export const hasTexts = (texts: Texts, spanId: string | null): boolean =>
  [...texts.values()].some((text) => text.spanId === spanId || text.also.includes(spanId));

/** Returns the texts in the order of the page. */
const inOrder = (texts: Texts): [HTMLElement, NotableText][] =>
  [...texts].toSorted(([a], [b]) =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) === 0 ? 1 : -1,
  );

/** Returns the part of a range within an element; null if it has no words. */
function partIn(range: Range, element: HTMLElement): Range | null {
  if (!range.intersectsNode(element)) return null;
  const part = document.createRange();
  part.selectNodeContents(element);
  if (part.compareBoundaryPoints(Range.START_TO_START, range) < 0)
    part.setStart(range.startContainer, range.startOffset);
  if (part.compareBoundaryPoints(Range.END_TO_END, range) > 0)
    part.setEnd(range.endContainer, range.endOffset);
  return part.toString().trim() === '' ? null : part;
}

/** Returns the text of an element, and where a part of it begins. */
function shownAt({ element, part }: { element: HTMLElement; part: Range }): { text: string; start: number } {
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(part.startContainer, part.startOffset);
  const words = part.toString();
  const spaces = words.length - words.trimStart().length;
  return { text: shownText(element).text, start: before.toString().length + spaces };
}

/** Returns words with their place in the text as it was sent. */
function quoted(
  { source, base, field }: NotableText,
  { words, text, start }: { words: string; text: string; start: number },
): QuotedWords {
  const quote = beginningOf(words, MAX_QUOTE);
  const place = samePlace(quote, { text, start }, source) ?? { start: 0, end: Math.max(source.length, 1) };
  return { field, quote, start: place.start + (base ?? 0), end: place.end + (base ?? 0) };
}
