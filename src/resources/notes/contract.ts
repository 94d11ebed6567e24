import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { ACTOR_TYPES } from '../../contract/scope.ts';
import { shortText, traceId, uuid } from '../../contract/values.ts';
import { withheld } from '../../contract/withheld.ts';
import { spanId } from '../traces/contract.ts';

const MAX_TEXT = 2_048;
const MAX_MENTIONS = 20;
/** Fewest notes of an issue from which an evaluator is drafted. With fewer, nothing is sealed. */
export const MIN_NOTES = 6;
const MAX_OFFSET = 100_000_000;

/** User or key that made a record, with its name at that time. */
export const creator = z.object({
  type: z.enum(ACTOR_TYPES),
  id: z.string().describe('Id of the user, or `keyId` of the API key.'),
  name: z.string().describe('Name of the user or of the key at that time.'),
});

const ofSpan = spanId.nullable().describe('Span that the note is about; null for the complete trace.');
const field = z
  .enum(['INPUT', 'OUTPUT'])
  .nullable()
  .describe('Text that has the words; null if the note is about no words.');
const offset = z.int().min(0).max(MAX_OFFSET).nullable();
const start = offset.describe('Place of the first of the words in the text, in UTF-16 code units from 0.');
const end = offset.describe('Place after the last of the words.');
const quote = z
  .string()
  .min(1)
  .max(MAX_TEXT)
  .nullable()
  .describe('The words, as they were shown to the person. The server does not compare them with the trace.');
const mentions = z.array(uuid).describe('Users whom the note is for.');

export const note = namedObject('Note', {
  ...recordFields,
  traceId: uuid,
  spanId: z
    .string()
    .nullable()
    .describe(ofSpan.description ?? ''),
  field,
  start: z.int().nullable(),
  end: z.int().nullable(),
  quote: z.string().nullable(),
  text: z.string().describe('What the person observed.'),
  mentions,
  issueId: uuid.nullable().describe('Issue that the note is evidence for.'),
  half: z
    .enum(['DRAFT', 'HOLDOUT'])
    .nullable()
    .describe(
      'Half of the notes of the issue, which the trace decides: evaluators are drafted from the one, and measured on the other. Null without an issue.',
    ),
  isSealed: z
    .boolean()
    .describe(
      `True if the words are left out: \`text\` is empty and \`quote\` null. So it is in lists that name no trace, for the holdout of issues with ${MIN_NOTES} notes or more.`,
    ),
  createdBy: creator,
  withheld,
});
export type Note = z.input<typeof note>;

const text = z.string().trim().min(1).max(MAX_TEXT);

export const createNoteBody = z
  .object({
    traceId,
    spanId: ofSpan.default(null),
    field: field.optional().describe(`${field.description ?? ''} Default: \`OUTPUT\` with words.`),
    start: start.default(null),
    end: end.default(null),
    quote: quote.default(null),
    text,
    mentions: mentions.max(MAX_MENTIONS).default([]),
  })
  .refine((given) => (given.start === null) === (given.end === null), {
    path: ['end'],
    error: '`start` and `end` must be given together',
  })
  .refine((given) => given.start === null || given.end === null || given.start < given.end, {
    path: ['end'],
    error: 'must be greater than `start`',
  })
  .refine((given) => given.start !== null || (!given.field && given.quote === null), {
    path: ['start'],
    error: 'is required with `field` or `quote`',
  });
export type NoteFields = z.output<typeof createNoteBody>;

export const updateNoteBody = z.object({ text, mentions: mentions.max(MAX_MENTIONS) }).partial();
export type GivenNoteFields = z.output<typeof updateNoteBody>;

export const notesQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'id']),
  traceId: several(traceId).describe('Notes on one of these traces.'),
  issueId: several(uuid).describe('Notes that are evidence for one of these issues.'),
  unassigned: queryBoolean
    .optional()
    .describe('True for notes that are evidence for no issue, false for the others.'),
  creatorId: several(shortText).describe('Notes of one of these users or keys.'),
});
export type NotesQuery = z.output<typeof notesQuery>;
