import { accessNotes } from './notes/access.ts';
import { documentNotes } from './notes/documents.ts';
import { evaluationNotes } from './notes/evaluation.ts';
import { experimentNotes } from './notes/experiments.ts';
import type { OperationNote, OperationNotes } from './notes/note.ts';
import { peopleNotes } from './notes/people.ts';
import { quickstartNotes } from './notes/quickstarts.ts';
import { reportingNotes } from './notes/reporting.ts';
import { serverNotes } from './notes/server.ts';
import { taskNotes } from './notes/tasks.ts';
import { testNotes } from './notes/tests.ts';
import { traceNotes } from './notes/traces.ts';
import { webhookNotes } from './notes/webhook.ts';

export const operationNotes: OperationNotes = {
  ...accessNotes,
  ...taskNotes,
  ...testNotes,
  ...traceNotes,
  ...webhookNotes,
  ...evaluationNotes,
  ...documentNotes,
  ...experimentNotes,
  ...peopleNotes,
  ...quickstartNotes,
  ...reportingNotes,
  ...serverNotes,
};

/** The note of a route. One without is documented too, under a name made from its path. */
export const operationNote = (method: string, path: string): OperationNote =>
  operationNotes[`${method} ${path}`] ?? { id: nameOf(method, path) };

function nameOf(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `${method.toLowerCase()}${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`;
}
