import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { truncate } from '../../traces/truncate.ts';
import { TextLines } from './text-lines.ts';

/** Text of a page, without parts that only a browser needs. */
export interface ReadPage {
  /** Title of the page; empty when it has none. */
  title: string;
  description: string;
  /** Text in Markdown, with headings, lists, tables and code. */
  text: string;
  /** Targets of the first links, as written. */
  links: string[];
  /** Base URL of relative links, if it is not that of the page. */
  base: string | null;
}

export class NestedTooDeeply extends Error {}

/** Deepest nesting, which browsers have too. The parser takes time proportional to the depth for every tag. */
const MAX_DEPTH = 512;
const MAX_LINKS = 1_000;
const MAX_LINK = 2_000;
const MAX_ATTRIBUTE_TEXT = 1_000;
const MAX_TITLE = 256;

/** Elements whose text is not part of the page, or belongs to its frame. */
const LEFT_OUT = new Set(
  'script style noscript template iframe object canvas svg math nav footer select button textarea title'.split(
    ' ',
  ),
);

const BLOCKS = new Set(
  'address article aside blockquote body details dd div dl dt fieldset figure figcaption form header hgroup hr main ol p pre section summary table ul'.split(
    ' ',
  ),
);

const HEADING = /^h[1-6]$/;

/** Characters parsed at once, so that a large page does not block other work. */
const SLICE = 32_768;

/** Reads a page without running its scripts. Throws NestedTooDeeply. */
export async function htmlToText(html: string): Promise<ReadPage> {
  const reader = new PageReader();
  const parser = new Parser(reader, { decodeEntities: true });
  for (let at = 0; at < html.length; at += SLICE) {
    parser.write(html.slice(at, at + SLICE));
    await setImmediate();
  }
  parser.end();
  return reader.page();
}

/** Receives the events of the parser, which closes all elements in order. */
class PageReader {
  private readonly lines = new TextLines();
  private readonly links = new Set<string>();
  private readonly lists: { next: number | null }[] = [];
  private depth = 0;
  private leftOut = 0;
  private inTitle = false;
  private title = '';
  private heading: string | null = null;
  private firstHeading = '';
  private description = '';
  private base: string | null = null;

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NestedTooDeeply(`tags are nested more than ${MAX_DEPTH} deep`);
    // The title of a drawing is not that of the page.
    if (name === 'title' && this.title === '' && this.leftOut === 0) this.inTitle = true;
    if (name === 'meta') this.readMeta(attributes);
    else if (name === 'base') this.base ??= attributes['href'] ?? null;
    else if (name === 'a' || name === 'area') this.addLink(attributes['href']);
    if (LEFT_OUT.has(name)) this.leftOut += 1;
    if (this.leftOut === 0) this.begin(name, attributes);
  }

  onclosetag(name: string): void {
    this.depth -= 1;
    if (name === 'title') this.inTitle = false;
    if (this.leftOut === 0) this.end(name);
    if (LEFT_OUT.has(name)) this.leftOut -= 1;
  }

  ontext(text: string): void {
    if (this.inTitle) this.title = (this.title + text).slice(0, MAX_ATTRIBUTE_TEXT);
    if (this.leftOut > 0) return;
    if (this.heading !== null) this.heading = (this.heading + text).slice(0, MAX_ATTRIBUTE_TEXT);
    this.lines.write(text);
  }

  page(): ReadPage {
    const { description, base } = this;
    const title = oneLine(this.title) || oneLine(this.firstHeading);
    return {
      title: truncate(title, MAX_TITLE),
      description: oneLine(description),
      text: this.lines.text(),
      links: [...this.links],
      base,
    };
  }

  private begin(name: string, attributes: Readonly<Record<string, string>>): void {
    const { lines, lists } = this;
    if (HEADING.test(name)) {
      lines.block(`${'#'.repeat(Number(name[1]))} `);
      if (this.firstHeading === '') this.heading = '';
    } else if (name === 'li') {
      const list = lists.at(-1);
      const mark = list?.next == null ? '-' : `${list.next++}.`;
      lines.line(`${'  '.repeat(Math.max(lists.length - 1, 0))}${mark} `);
    } else if (name === 'br' || name === 'tr') lines.line();
    else if (name === 'td' || name === 'th') lines.cell();
    else if (BLOCKS.has(name)) {
      // A nested list continues the line of its parent.
      if (lists.length > 0 && (name === 'ul' || name === 'ol')) lines.line();
      else lines.block();
      if (name === 'ul') lists.push({ next: null });
      if (name === 'ol') lists.push({ next: Number.parseInt(attributes['start'] ?? '', 10) || 1 });
      if (name === 'pre') lines.openCode();
    }
  }

  private end(name: string): void {
    const { lines, lists } = this;
    if (name === 'pre') lines.closeCode();
    if (name === 'ul' || name === 'ol') lists.pop();
    if (HEADING.test(name)) {
      this.firstHeading ||= this.heading ?? '';
      this.heading = null;
      lines.block();
    } else if (name === 'li' || name === 'tr') lines.line();
    else if (BLOCKS.has(name) && lists.length === 0) lines.block();
    else if (BLOCKS.has(name)) lines.line();
  }

  private readMeta({ name, property, content = '' }: Readonly<Record<string, string>>): void {
    const key = (name ?? property ?? '').toLowerCase();
    if (key === 'description') this.description = content.slice(0, MAX_ATTRIBUTE_TEXT);
    else if (key === 'og:description') this.description ||= content.slice(0, MAX_ATTRIBUTE_TEXT);
  }

  private addLink(href: string | undefined): void {
    if (href !== undefined && href.length <= MAX_LINK && this.links.size < MAX_LINKS)
      this.links.add(href.trim());
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
