import { seenBy } from '../../contract/reviewer.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { createNote, deleteNote, getNote, listNotes, updateNote } from './calls.ts';
import { createNoteBody, note, notesQuery, updateNoteBody } from './contract.ts';
import { exampleNote } from './example.ts';

type NoteDeps = StoreCalls;

const OWN = 'Only the creator of a note can change it (403).';

export function noteRoutes({ read, write, now }: NoteDeps): Route[] {
  const notes = recordRoutes({
    path: '/v0/notes',
    group: 'Issues',
    record: note,
    example: exampleNote,
    now,
    scope: 'annotate',
  });
  const { traceId, start, end, quote, text } = exampleNote;
  return [
    notes.create({
      operationId: 'createNote',
      summary: 'Write a note on a trace',
      description:
        'A note is an observation on a trace, on one of its spans, or on words of their input or output. It is no verdict, and counts in no rate. It is deleted with its trace. A trace has at most 1000 (409).',
      body: createNoteBody,
      example: { body: { traceId, start, end, quote, text } },
      errors: ['not_found', 'conflict'],
      handler: (args, { actor }) => write(createNote, { ...args, actor }),
    }),
    notes.list({
      operationId: 'listNotes',
      summary: 'List notes',
      query: notesQuery,
      handler: (args, principal) => read(listNotes, { ...args, seenBy: seenBy(principal, now()) }),
    }),
    notes.get({
      operationId: 'getNote',
      summary: 'Get a note',
      handler: (args) => read(getNote, args),
    }),
    notes.update({
      operationId: 'updateNote',
      summary: 'Update a note',
      description: OWN,
      body: updateNoteBody,
      example: { text: 'Promises the refund before it knows the order.' },
      handler: (args, { actor }) => write(updateNote, { ...args, actor }),
    }),
    notes.remove({
      operationId: 'deleteNote',
      summary: 'Delete a note',
      description: `Its trace stays linked to the issue of the note. ${OWN}`,
      handler: (args, { actor }) => write(deleteNote, { ...args, actor }),
    }),
  ];
}
