import { lookOf } from '../kinds.ts';

/** Colours that canvases draw with, as the theme of the page has them. */
export interface CanvasColours {
  ink: string;
  dim: string;
  line: string;
  page: string;
  fail: string;
  doubt: string;
  /** Font of labels. */
  font: string;
  kind: (kind: string) => string;
}

export function readPalette(): CanvasColours {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const kinds = new Map<string, string>();
  return {
    ink: colour('--ink'),
    dim: colour('--dim'),
    line: colour('--line'),
    page: colour('--page'),
    fail: colour('--fail'),
    doubt: colour('--doubt'),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    kind: (kind) => {
      let found = kinds.get(kind);
      if (found === undefined) kinds.set(kind, (found = colour(lookOf(kind).colour)));
      return found;
    },
  };
}

/** Calls `onChange` whenever the page changes its theme. Returns a function that ends it. */
export function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
