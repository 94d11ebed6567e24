import { asIs, nullable, number, text } from '../../storage/column.ts';
import { type FieldsOf, table } from '../../storage/record.ts';

/**
 * State of a page. FOUND: to be fetched. READ: fetched, without a document yet. MOVED: its address is that of another
 * page.
 */
export type PageState = 'FOUND' | 'READ' | 'DONE' | 'FAILED' | 'MOVED';

export const pages = table(
  'scrape_page',
  'page',
  {
    jobId: text,
    seq: number,
    /** Number of links between it and the first page. */
    depth: number,
    state: asIs<PageState>(),
    url: text,
    /** Address after redirects; null when that is `url`. */
    finalUrl: nullable(text),
    title: nullable(text),
    description: nullable(text),
    /** Content, stored until a document is created from it. */
    content: nullable(text),
    error: nullable(text),
  },
  'jobId',
);

export const listedPages = pages.omit('content');
export type ListedPage = FieldsOf<typeof listedPages>;

/** Returns the address of a page after redirects. */
export const addressOf = ({ url, finalUrl }: Pick<ListedPage, 'url' | 'finalUrl'>): string => finalUrl ?? url;
