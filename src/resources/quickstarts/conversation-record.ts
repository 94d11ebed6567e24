import { asIs, nullable, number, text, time } from '../../storage/column.ts';
import { table } from '../../storage/record.ts';
import type { ImportedMessage } from './import-formats.ts';

export const conversations = table('conversation', 'conversation', {
  id: text,
  quickstartId: text,
  uploadId: text,
  externalId: nullable(text),
  taskId: nullable(text),
  turnCount: number,
  characters: number,
  createdAt: time,
});

export const turns = table(
  'conversation_turn',
  'turn',
  { conversationId: text, role: asIs<ImportedMessage['role']>(), content: text },
  'conversationId',
);
