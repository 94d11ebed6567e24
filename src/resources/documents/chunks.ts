/** UTF-16 units. */
export const MAX_CHUNK = 1_200;
/** A cut before this would leave a crumb. */
const MIN_CHUNK = 300;
/** Chunks after which headings no longer begin one: each takes the writer as long, however short it is. */
const MAX_SECTIONS = 2_000;
/** Number of characters at the end of a chunk in which a place to split is looked for first. */
const TAIL = 200;

export interface Chunk {
  text: string;
  /** UTF-16 units from the beginning of the content. */
  start: number;
  end: number;
}

/**
 * Cuts a text into pieces for retrieval: before headings of Markdown, and where a piece would be longer than MAX_CHUNK,
 * after a paragraph, else a line, a sentence, a word. In order they are the text, with nothing left out.
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
/** The first line that is no heading and not blank. */
const TEXT_LINE = /^(?!#{1,6}[ \t])[^\S\n]*\S/m;

/** Returns where the next section begins; headings that follow each other stay together. */
function beforeHeading(window: string): number | null {
  const text = TEXT_LINE.exec(window)?.index ?? window.length;
  const heading = window.matchAll(HEADING).find(({ index }) => index > text);
  return heading ? heading.index + 1 : null;
}

/** Places to split after, from the best to the worst. */
const BREAKS = [/\n[ \t\r]*\n\s*/g, /\n/g, /[.!?…]["'”’)\]]*\s+|[。！？]\s*/g, /\s+/g];

/** Reports whether a cut there would split a character. */
function isLowSurrogate(content: string, at: number): boolean {
  const [before, after] = [content.charCodeAt(at - 1), content.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
