import { truncate } from '../../traces/truncate.ts';

const MAX_TITLE = 100;

/** Returns the title of a task that is made with a trace: the beginning of its input. */
export const titleOf = (input: string): string =>
  truncate(input.replaceAll(/\s+/g, ' ').trim(), MAX_TITLE).trim() || 'Trace';
