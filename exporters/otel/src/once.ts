import { diag } from '@opentelemetry/api';
import { Reporter } from './reporter.ts';
import { environment } from './runtime.ts';

const written = new Set<string>();
const MAX_TEXTS = 100;

/** Writes a notice to standard error and `diag`, each text once in a process. */
export function noticeOnce(text: string): void {
  if (written.has(text) || written.size >= MAX_TEXTS) return;
  written.add(text);
  diag.warn(`touchstone: ${text}`);
  new Reporter({}, environment()).notice(text);
}
