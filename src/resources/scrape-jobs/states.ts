import { AppError } from '../../errors.ts';

export const SCRAPE_STATUSES = ['MAPPING', 'PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
export type ScrapeStatus = (typeof SCRAPE_STATUSES)[number];

export type ScrapeEvent =
  /** All pages are known. */
  | 'mapped'
  /** The first page is being read. */
  | 'started'
  /** All pages were read, and there is a document. */
  | 'completed'
  | 'failed'
  /** Set by hand. */
  | 'cancelled';

/** Events that are possible in each status, and the status that each leads to. */
export const SCRAPE_STATES: Readonly<
  Record<ScrapeStatus, Readonly<Partial<Record<ScrapeEvent, ScrapeStatus>>>>
> = {
  MAPPING: { mapped: 'PENDING', failed: 'FAILED', cancelled: 'FAILED' },
  PENDING: { started: 'IN_PROGRESS', failed: 'FAILED', cancelled: 'FAILED' },
  IN_PROGRESS: { completed: 'COMPLETED', failed: 'FAILED', cancelled: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
};

/** Returns the status after an event; throws `conflict` when it is not possible in this status. */
export function nextStatus(status: ScrapeStatus, event: ScrapeEvent): ScrapeStatus {
  const next = SCRAPE_STATES[status][event];
  if (!next) throw new AppError('conflict', `The scrape job is already ${status}`);
  return next;
}

export const isScrapeOver = (status: ScrapeStatus): boolean => status === 'COMPLETED' || status === 'FAILED';
