import type { ContextManager } from '@opentelemetry/api';
import type { AtEnd } from './process-end.ts';
import type { Environment, SpoolSettings } from './settings.ts';
import type { SpoolFolder } from './spool.ts';
import type { Transport } from './transport.ts';
import type { UnsentNote, UnsentNoteSettings } from './unsent-note.ts';

/** Means that differ between Node and the runtimes of the web. */
export interface Platform {
  /** Makes the transport of one exporter. */
  transport: (env: Environment) => Transport;
  /** Makes the manager that carries the active context. */
  contextManager: () => ContextManager;
  /** Opens the folder of a spool; returns undefined in a runtime without a disk. */
  spoolFolder: (settings: SpoolSettings, notice: (text: string) => void) => SpoolFolder | undefined;
  /** Makes the note of unsent spans, of which `count` returns the number; undefined in a runtime without a disk. */
  unsentNote: (settings: UnsentNoteSettings, count: () => number) => UnsentNote | undefined;
  /** Calls a sender of spans when the process or the page ends, until the returned function is called. */
  whenEnds: (sender: AtEnd) => () => void;
  /** Default of `maxQueueBytes`. */
  maxQueueBytes: number;
  /** Advice for sending spans before the end. */
  endRemedy: string;
}
