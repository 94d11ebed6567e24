import { randomUUID } from 'node:crypto';
import { linkDefinitions } from '../definitions/definition-links.ts';
import { createDefinitionBody } from '../definitions/contract.ts';
import { createDefinition } from '../definitions/store.ts';
import { createDocumentBody } from '../documents/contract.ts';
import { insertDocument } from '../documents/store.ts';
import { checked, type ImportBatch, type TopicsByTitle } from './import-batch.ts';
import type { DocumentRow } from './import-formats.ts';

/** Creates a document from a row, and a definition if the row has a criterion. Throws AppError. */
export function takeDocument(batch: ImportBatch, topics: TopicsByTitle, row: DocumentRow): void {
  const { database, owner, upload, created, at } = batch;
  const { title, content, criterion } = row;
  const { quickstartId, materialType } = upload;
  const topicId = topics.idOf(row.topic);
  const type = materialType === 'policy' ? 'POLICY' : 'KNOWLEDGE';
  const draft = { title, content, type, status: 'DRAFT', topicId, quickstartId } as const;
  const fields = checked(createDocumentBody, draft);
  const origin = { fileProcessingId: upload.id };
  insertDocument(database, { owner, id: randomUUID(), fields, origin, at });
  created.documents += 1;
  if (type === 'KNOWLEDGE' || criterion === '') return;

  const id = randomUUID();
  const rule = {
    name: title,
    type: 'CUSTOM',
    status: 'DRAFT',
    globalConfig: { criterion },
    quickstartId,
  } as const;
  createDefinition(database, { owner, id, fields: checked(createDefinitionBody, rule), at });
  created.definitions += 1;
  if (topicId === null) return;
  const { application } = owner;
  const link = { application, kind: 'topic', targetIds: [topicId], definitionIds: [id] } as const;
  linkDefinitions(database, { ...link, config: undefined, at });
}
