import { setImmediate } from 'node:timers/promises';

/** Bytes that are looked at before other work of the thread has its turn. */
const PIECE_BYTES = 256 * 1024;
/** Most members of a row, and of what surrounds the rows: parsing many distinct names takes long. */
export const MAX_ROW_MEMBERS = 10_000;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A row as bytes of the file, with the number of members of its objects. */
export interface JsonPart {
  start: number;
  end: number;
  members: number;
}

/** A JSON document without the objects and arrays in its lists of the first or second level. */
export interface JsonParts {
  /** The document in which each of them is replaced by `[its number]`. */
  frame: string;
  /** Number of members in the frame. */
  frameMembers: number;
  parts: JsonPart[];
  /** True if the document has more parts: the frame ends with the number of the first one that is not in `parts`. */
  isCut: boolean;
}

/**
 * Splits a JSON document into its rows without parsing it, and lets other work of the thread have its turns. After
 * `maxParts` the rest is not read. Returns null if brackets and quotes do not match.
 */
export async function splitJson(bytes: Buffer, maxParts: number): Promise<JsonParts | null> {
  const splitter = new Splitter(bytes, maxParts);
  for (let at = 0; at < bytes.length && !splitter.isCut; at += PIECE_BYTES) {
    if (!splitter.read(Math.min(bytes.length, at + PIECE_BYTES))) return null;
    await setImmediate();
  }
  return splitter.end();
}

class Splitter {
  isCut = false;
  private readonly bytes: Buffer;
  private readonly maxParts: number;
  private readonly parts: JsonPart[] = [];
  private readonly frame: string[] = [];
  /** Open brackets around the place that is read. */
  private readonly open: number[] = [];
  private at = 0;
  private copied = 0;
  private members = 0;
  private frameMembers = 0;
  private isInString = false;
  /** Number of open brackets around the part that is read; null outside of parts. */
  private partDepth: number | null = null;

  constructor(bytes: Buffer, maxParts: number) {
    this.bytes = bytes;
    this.maxParts = maxParts;
  }

  /** Reads up to a place; returns false if brackets do not match. */
  read(end: number): boolean {
    const { bytes } = this;
    for (; this.at < end && !this.isCut; this.at += 1) {
      const byte = bytes[this.at] as number;
      if (this.isInString) {
        if (byte === BACKSLASH) this.at += 1;
        else if (byte === QUOTE) this.isInString = false;
      } else if (byte === QUOTE) this.isInString = true;
      else if (byte === COLON) this.members += 1;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.begin(byte);
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && !this.close(byte)) return false;
    }
    return true;
  }

  end(): JsonParts | null {
    const { open, isCut } = this;
    if (!isCut && (this.isInString || open.length > 0)) return null;
    this.frame.push(isCut ? closing(open) : this.bytes.toString('utf8', this.copied));
    return {
      isCut,
      frame: this.frame.join(''),
      frameMembers: this.frameMembers + this.members,
      parts: this.parts,
    };
  }

  private begin(bracket: number): void {
    const { open } = this;
    const isInList = open.at(-1) === OPEN_BRACKET;
    if (this.partDepth === null && isInList && (open.length === 1 || open.length === 2)) {
      this.frame.push(this.bytes.toString('utf8', this.copied, this.at), `[${this.parts.length}]`);
      this.copied = this.at;
      if (this.parts.length === this.maxParts) {
        this.isCut = true;
        return;
      }
      this.partDepth = open.length;
      this.frameMembers += this.members;
      this.members = 0;
    }
    open.push(bracket);
  }

  private close(bracket: number): boolean {
    const { open } = this;
    if (open.pop() !== (bracket === CLOSE_BRACE ? OPEN_BRACE : OPEN_BRACKET)) return false;
    if (open.length !== this.partDepth) return true;
    this.parts.push({ start: this.copied, end: this.at + 1, members: this.members });
    this.copied = this.at + 1;
    this.partDepth = null;
    this.members = 0;
    return true;
  }
}

/** Returns the brackets that close those that are open. */
const closing = (open: readonly number[]): string =>
  open
    .toReversed()
    .map((bracket) => (bracket === OPEN_BRACE ? '}' : ']'))
    .join('');

/** Counts the members of all objects in a JSON text. */
export function membersIn(text: string): number {
  let members = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === COLON) members += 1;
  }
  return members;
}
