/** Longest chunk, in UTF-16 units. */
export const MAX_CHUNK = 1_200;
/** Shortest chunk before a split, in UTF-16 units. */
const MIN_CHUNK = 300;
/**
 * Number of chunks after which headings no longer begin one: each costs the writer the same time, however short it
 * is.
 */
const MAX_SECTIONS = 2_000;
/** Number of characters at the end of a chunk that are searched first for a place to split. */
const TAIL = 200;

export interface Chunk {
  text: string;
  /** Position in the content, in UTF-16 units. */
  start: number;
  end: number;
}

/**
 * Splits a text into chunks for retrieval: before Markdown headings, and, where a chunk would exceed MAX_CHUNK, after
 * a paragraph, else a line, a sentence or a word. Concatenated, the chunks are the complete text.
 */
export function chunksOf(content: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < content.length; ) {
    const end = start + lengthOfNext(content, start, chunks.length < MAX_SECTIONS);
    chunks.push({ text: content.slice(start, end), start, end });
    start = end;
  }
  return chunks;
}

function lengthOfNext(content: string, start: number, splitsAtHeadings: boolean): number {
  const window = content.slice(start, start + MAX_CHUNK);
  const heading = splitsAtHeadings ? beforeHeading(window) : null;
  if (heading !== null) return heading;
  if (start + window.length === content.length) return window.length;
  for (const pattern of BREAKS) {
    const split = lastEnd(pattern, window);
    if (split >= MIN_CHUNK) return split;
  }
  return isLowSurrogate(content, start + window.length) ? window.length - 1 : window.length;
}

/** Returns the end of the last match; 0 when there is none. */
function lastEnd(pattern: RegExp, window: string): number {
  for (const from of [Math.max(0, window.length - TAIL), 0]) {
    const last = [...window.slice(from).matchAll(pattern)].at(-1);
    if (last) return from + last.index + last[0].length;
  }
  return 0;
}

const HEADING = /\n(?=#{1,6}[ \t])/g;
/** Pattern of the first line that is neither a heading nor blank. */
const TEXT_LINE = /^(?!#{1,6}[ \t])[^\S\n]*\S/m;

/** Returns where the next section begins; headings that follow each other stay together. */
function beforeHeading(window: string): number | null {
  const text = TEXT_LINE.exec(window)?.index ?? window.length;
  const heading = window.matchAll(HEADING).find(({ index }) => index > text);
  return heading ? heading.index + 1 : null;
}

/** Patterns of places to split after, best first. */
const BREAKS = [/\n[ \t\r]*\n\s*/g, /\n/g, /[.!?…]["'”’)\]]*\s+|[。！？]\s*/g, /\s+/g];

/** Reports whether a split at this position would divide a character. */
function isLowSurrogate(content: string, at: number): boolean {
  const [before, after] = [content.charCodeAt(at - 1), content.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
