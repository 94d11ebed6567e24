import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RetrievedDocument } from '../../../src/traces/conventions/message.ts';
import {
  openInferenceDocuments,
  rerankedDocuments,
} from '../../../src/traces/conventions/openinference-documents.ts';
import { viewOf } from '../../../src/traces/conventions/span-view.ts';
import { attributesUnder, countingView } from '../../support/flattened.ts';
import type { Values } from '../../support/spans.ts';
import { spanView } from '../../support/views.ts';

describe.each([
  ['retrieval.documents', openInferenceDocuments],
  ['reranker.output_documents', rerankedDocuments],
])('%s', (prefix, read) => {
  it.each<[string, Values, RetrievedDocument]>([
    [
      'all of it',
      { id: 'doc-1', content: 'Paris is a city.', score: 0.9, metadata: '{"source":"atlas.txt"}' },
      { id: 'doc-1', content: 'Paris is a city.', score: 0.9, metadata: { source: 'atlas.txt' } },
    ],
    ['an id that is a number', { id: 7 }, { id: '7' }],
    ['content with structure', { content: { title: 'Paris' } }, { content: '{"title":"Paris"}' }],
    ['content that is JSON', { content: '{"title":"Paris"}' }, { content: '{"title":"Paris"}' }],
    ['metadata that is no JSON', { content: 'x', metadata: '{cut' }, { content: 'x', metadata: '{cut' }],
    ['a score that is none', { content: 'x', score: 'high' }, { content: 'x' }],
  ])('a document: %s', (_, sent, document) => {
    const attributes = Object.entries(sent).map(([key, value]) => [`${prefix}.0.document.${key}`, value]);
    expect(read(spanView(Object.fromEntries(attributes) as Values))).toEqual([document]);
  });

  it('stand in the order of their index; what says nothing of a document is left out', () => {
    const view = spanView({
      [`${prefix}.10.document.id`]: 'last',
      [`${prefix}.2.document.id`]: 'first',
      [`${prefix}.3.document.colour`]: 'blue',
      [`${prefix}.999999999.document.id`]: 'odd',
      [`${prefix}.-1.document.id`]: 'odd',
    });
    expect(read(view)).toEqual([{ id: 'first' }, { id: 'last' }]);
  });

  it('nothing is reported of a span that has none', () => {
    expect(read(spanView({ 'reranker.input_documents.0.document.id': '1', [prefix]: 'x' }))).toBeUndefined();
  });

  it('whatever is sent, it does not throw', () => {
    const names = ['document', 'id', 'content', 'score', 'metadata', '0.document', '1.document'];
    fc.assert(
      fc.property(attributesUnder([`${prefix}.`], names), (attributes) => {
        expect(() => read(viewOf(attributes))).not.toThrow();
      }),
    );
  });

  it('the work grows as the span does', () => {
    const looksAt = (documents: number): number => {
      const keys = Array.from({ length: documents }, (_, i) => [
        [`${prefix}.${i}.document.id`, `${i}`],
        [`${prefix}.${i}.document.content`, 'x'],
      ]);
      const { view, count } = countingView(Object.fromEntries(keys.flat()) as Record<string, string>);
      expect(read(view)).toHaveLength(documents);
      return count();
    };
    expect(looksAt(10_000)).toBe(10 * looksAt(1_000));
  });
});
