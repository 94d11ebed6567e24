import { expect } from 'vitest';
import type { CreateDocumentBody, Document } from '../../src/api/generated/schema.ts';
import type { TestServer } from '../support/server.ts';

export type Headers = Readonly<Record<string, string>>;
export const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

export async function createDocument(
  server: TestServer,
  more: Partial<CreateDocumentBody>,
  headers: Headers = {},
): Promise<Document> {
  const given: CreateDocumentBody = {
    title: 'Refunds',
    content: 'Within 30 days.',
    type: 'KNOWLEDGE',
    ...more,
  };
  return (await server.ok('POST', '/v0/documents', { body: given, headers })).document;
}

export async function getDocument(server: TestServer, id: string): Promise<Document> {
  return (await server.ok('GET', `/v0/documents/${id}`)).document;
}

export async function createTopic(server: TestServer, headers: Headers = {}): Promise<string> {
  return (await server.ok('POST', '/v0/topics', { body: { title: 'Topic' }, headers })).data.id;
}

export async function createQuickstart(server: TestServer, headers: Headers = {}): Promise<string> {
  const { text, json } = await server.call('POST', '/v0/quickstarts', { body: { name: 'Start' }, headers });
  expect(json, text).toHaveProperty('data.id');
  return (json as { data: { id: string } }).data.id;
}
