import type { Actor } from '../../contract/scope.ts';
import { asIs, json, nullable, text, time } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { Erasure, ErasedCounts, MadeCopy } from './contract.ts';

export const erasures = record('erasure', 'erasure', {
  subjectType: asIs<Erasure['subjectType']>(),
  subjectHash: text,
  /** The id of the user or session; null once all is deleted. */
  subject: nullable(text),
  /** Forms that masking gives the id; null once all is deleted. */
  otherForms: nullable(json<string[]>()),
  status: asIs<Erasure['status']>(),
  counts: json<ErasedCounts>(),
  actorType: asIs<Actor['type']>(),
  actorId: text,
  actorName: text,
  completedAt: nullable(time),
  /** Backups and exports that were made before; null until completed. */
  copies: nullable(json<{ total: number; data: MadeCopy[] }>()),
});
