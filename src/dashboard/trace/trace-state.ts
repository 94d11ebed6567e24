import type { TimeMode } from './tree/tree-view.ts';

/** State of the screen of a trace, as its URL has it. */
export const TRACE_DEFAULTS = {
  span: '',
  /** Empty for the usual one: verdicts beside the answer, else the content of the span. */
  tab: '',
  /** Empty for the usual one: the transcript where there is an answer, else the tree. */
  view: '',
  find: '',
  steps: 'all',
  time: 'rows',
  deliveries: '',
};
export type TraceState = typeof TRACE_DEFAULTS;

/** Parts of the page that can stand beside the selected span, or alone on a phone. */
export type TraceView = 'transcript' | 'tree' | 'graph' | 'span';

/** Reads the time of the bars from the URL: `rows`, `all`, or milliseconds such as `1200-3400`. */
export function readMode(text: string): TimeMode {
  if (text === 'all') return 'all';
  const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const part = { from: Number(from), to: Number(to) };
  return part.to > part.from ? part : 'rows';
}

export const writeMode = (mode: TimeMode): string =>
  typeof mode === 'string' ? mode : `${mode.from.toFixed(3)}-${mode.to.toFixed(3)}`;
