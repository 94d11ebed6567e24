import type { AtEnd } from './process-end.ts';

/** Members used of a browser's document. */
interface Page {
  readonly visibilityState: string;
  addEventListener(event: string, listener: () => void): void;
  removeEventListener(event: string, listener: () => void): void;
}

/** The document of a browser; other runtimes have none. */
const page = (): Page | undefined => (globalThis as { document?: Page }).document;

/** Reports whether the page is hidden: it may end at any time, without another event. */
export const isPageHidden = (): boolean => page()?.visibilityState === 'hidden';

/** Flushes a sender whenever the page is hidden. In a runtime without pages it does nothing. */
export function whenPageEnds({ flush, pending }: AtEnd): () => void {
  const current = page();
  const flushHidden = (): void => {
    if (isPageHidden() && pending() > 0) void flush();
  };
  current?.addEventListener('visibilitychange', flushHidden);
  return () => current?.removeEventListener('visibilitychange', flushHidden);
}
