import type { Actor } from '../../contract/scope.ts';
import { asIs, json, nullable, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { View } from './contract.ts';

export const views = versionedRecord('saved_view', 'view', {
  owner: text,
  screen: asIs<View['screen']>(),
  name: text,
  filter: json<View['filter']>(),
  columns: nullable(json<string[]>()),
  sort: nullable(text),
  creatorType: asIs<Actor['type']>(),
  creatorId: text,
  creatorName: text,
});
