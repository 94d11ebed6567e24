import type { TimeMode } from './tree/tree-view.ts';

/** State of the screen of a trace, as its URL has it. */
export const TRACE_DEFAULTS = {
  span: '',
  tab: 'content',
  view: 'tree',
  find: '',
  steps: 'all',
  time: 'rows',
};
export type TraceState = typeof TRACE_DEFAULTS;

/** Reads the time of the bars from the URL: `rows`, `all`, or milliseconds such as `1200-3400`. */
export function readMode(text: string): TimeMode {
  if (text === 'all') return 'all';
  const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const part = { from: Number(from), to: Number(to) };
  return part.to > part.from ? part : 'rows';
}

export const writeMode = (mode: TimeMode): string =>
  typeof mode === 'string' ? mode : `${mode.from.toFixed(3)}-${mode.to.toFixed(3)}`;
