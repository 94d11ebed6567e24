import { truncate } from '../../traces/truncate.ts';

/** Most characters of a text; the rest is dropped. */
const MAX_CHARACTERS = 500_000;
const FENCE = '```';

/** Joins pieces of text into lines and paragraphs. */
export class TextLines {
  private readonly lines: string[] = [];
  /** Pieces of the current line. */
  private pieces: string[] = [];
  private endsInBlank = true;
  /** Beginning of the next line, written once there is text for it. */
  private prefix = '';
  private isBlankLineDue = false;
  private isCode = false;
  private characters = 0;

  /** Adds text of the page; white space becomes a single blank, except in code. */
  write(text: string): void {
    if (this.isCode) {
      const [first = '', ...rest] = text.split(/\r\n|\r|\n/);
      this.add(first);
      for (const line of rest) {
        this.push(this.take());
        this.add(line);
      }
      return;
    }
    const words = text.replaceAll(/[\s\u00a0]+/g, ' ');
    this.add(this.endsInBlank && words.startsWith(' ') ? words.slice(1) : words);
  }

  /** Begins a new line. */
  line(prefix = ''): void {
    if (this.isCode) return;
    this.flush();
    this.prefix = prefix || this.prefix;
  }

  /** Begins a new paragraph. */
  block(prefix = ''): void {
    if (this.isCode) return;
    this.flush();
    // The text after a list marker belongs to it.
    if (this.prefix === '') this.isBlankLineDue = true;
    this.prefix = prefix || this.prefix;
  }

  /** Begins a cell of a table. */
  cell(): void {
    if (this.pieces.length > 0 && !this.isCode) this.add(this.endsInBlank ? '| ' : ' | ');
  }

  openCode(): void {
    this.block();
    this.prefix = '';
    this.emit(FENCE);
    this.isCode = true;
  }

  closeCode(): void {
    if (!this.isCode) return;
    if (this.pieces.length > 0) this.push(this.take());
    this.push(FENCE);
    this.isCode = false;
    this.isBlankLineDue = true;
  }

  text(): string {
    this.flush();
    return truncate(this.lines.join('\n'), MAX_CHARACTERS).trim();
  }

  private add(text: string): void {
    if (text === '' || this.characters >= MAX_CHARACTERS) return;
    this.pieces.push(text);
    this.characters += text.length;
    this.endsInBlank = text.endsWith(' ');
  }

  /** Returns the current line and clears it. */
  private take(): string {
    const line = this.pieces.join('');
    this.pieces = [];
    this.endsInBlank = true;
    return line;
  }

  /** Ends the current line if it has text. */
  private flush(): void {
    const line = this.take().trim();
    if (line === '') return;
    this.emit(this.prefix + line);
    this.prefix = '';
  }

  private emit(line: string): void {
    if (this.isBlankLineDue && this.lines.length > 0) this.push('');
    this.isBlankLineDue = false;
    this.push(line);
  }

  private push(line: string): void {
    if (this.characters >= MAX_CHARACTERS && line === '') return;
    this.lines.push(line);
    this.characters += 1;
  }
}
