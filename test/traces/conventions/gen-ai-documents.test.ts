import { describe, expect, it } from 'vitest';
import { genAiDocuments, queryResultDocuments } from '../../../src/traces/conventions/gen-ai-documents.ts';
import type { RetrievedDocument } from '../../../src/traces/conventions/message.ts';
import type { JsonValue } from '../../../src/traces/span-wire.ts';
import { spanView } from '../../support/views.ts';

describe('the documents of a retrieval', () => {
  it.each<[what: string, value: JsonValue, documents: RetrievedDocument[] | undefined]>([
    ['are ids and scores', [{ id: 'a', score: 0.9 }], [{ id: 'a', score: 0.9 }]],
    ['may be JSON', '[{"id":"a","score":0.9}]', [{ id: 'a', score: 0.9 }]],
    ['may have numbers as ids and texts as scores', [{ id: 7, score: '0.9' }], [{ id: '7', score: 0.9 }]],
    ['may have contents', [{ id: 'a', content: 'x' }], [{ id: 'a', content: 'x' }]],
    [
      'may be those of LangChain',
      [
        { pageContent: 'x', metadata: { source: 's' } },
        { page_content: 'y', metadata: {} },
      ],
      [
        { content: 'x', metadata: { source: 's' } },
        { content: 'y', metadata: {} },
      ],
    ],
    [
      'may say more, which is metadata',
      [{ id: 'a', title: 't', metadata: '{"source":"s"}', note: null }],
      [{ id: 'a', metadata: { source: 's', title: 't' } }],
    ],
    [
      'may say more beside metadata that is no object',
      [{ title: 't', metadata: 'm' }],
      [{ metadata: { metadata: 'm', title: 't' } }],
    ],
    ['may be texts', ['x'], [{ content: 'x' }]],
    ['may be one', { id: 'a' }, [{ id: 'a' }]],
    ['may be anything', [7], [{ metadata: 7 }]],
    ['may be none', [], undefined],
  ])('%s', (_what, value, documents) => {
    expect(genAiDocuments(spanView({ 'gen_ai.retrieval.documents': value }))).toEqual(documents);
  });

  it('are none where the attribute is not there', () => {
    expect(genAiDocuments(spanView({}))).toBeUndefined();
  });
});

describe('the rows of a query', () => {
  it('are read from an event each', () => {
    const row = (attributes: Record<string, string | number>) => ({ name: 'db.query.result', attributes });
    const view = spanView({}, [
      row({
        'db.query.result.id': 'a',
        'db.query.result.score': 0.9,
        'db.query.result.document': 'x',
        'db.query.result.metadata': '{"source":"s"}',
        other: 1,
      }),
      { name: 'db.query.embeddings', attributes: {} },
      row({ 'db.query.result.id': 'b', 'db.query.result.distance': 0.2 }),
    ]);
    expect(queryResultDocuments(view)).toEqual([
      { id: 'a', content: 'x', score: 0.9, metadata: { source: 's' } },
      { id: 'b', metadata: { distance: 0.2 } },
    ]);
  });

  it('are none where there is no such event', () => {
    expect(queryResultDocuments(spanView({ 'db.query.result.id': 'a' }))).toBeUndefined();
  });
});
