import type { Actor } from '../../contract/scope.ts';
import { asIs, json, nullable, number, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { Note } from './contract.ts';

export const notes = versionedRecord('note', 'note', {
  traceId: traceReference,
  spanId: nullable(text),
  field: asIs<Note['field']>(),
  startOffset: nullable(number),
  endOffset: nullable(number),
  quote: nullable(text),
  content: text,
  mentions: json<string[]>(),
  issueId: nullable(text),
  creatorType: asIs<Actor['type']>(),
  creatorId: text,
  creatorName: text,
});
