import type { ReactNode } from 'react';
import type { SpanDetail } from '../../api/generated/schema.ts';
import type { SpanIndex } from '../../span-index/reader.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import type { SpanPair } from './align.ts';
import { contentText } from './content-text.ts';
import { ADDED, REMOVED, WordDiff } from '../ui/word-diff.tsx';

/** One of the two traces. */
export interface ComparedTrace {
  traceId: string;
  index: SpanIndex;
}

/** Shows how the content of a pair of spans differs, word by word. */
export function PairPane({ a, b, pair }: { a: ComparedTrace; b: ComparedTrace; pair: SpanPair }): ReactNode {
  const spanA = useSpan(a, pair.a);
  const spanB = useSpan(b, pair.b);
  const name = pair.a === -1 ? b.index.name(pair.b) : a.index.name(pair.a);
  return (
    <aside
      aria-label="Selected pair"
      className="min-h-0 min-w-0 overflow-auto border-l border-line px-4 py-3"
      tabIndex={0}
    >
      <h2 className="text-reading font-semibold break-words">{name || '(no name)'}</h2>
      <p className="mt-0.5 mb-3 flex gap-3 text-dim">
        <SpanLink side={a} row={pair.a} name="A" />
        <SpanLink side={b} row={pair.b} name="B" />
      </p>
      {pair.a === -1 || pair.b === -1 ? (
        <Loaded of={pair.a === -1 ? spanB : spanA}>
          {({ data }) => <Texts a={pair.a === -1 ? null : data} b={pair.b === -1 ? null : data} />}
        </Loaded>
      ) : (
        <Loaded of={spanA}>
          {({ data: first }) => (
            <Loaded of={spanB}>{({ data: second }) => <Texts a={first} b={second} />}</Loaded>
          )}
        </Loaded>
      )}
    </aside>
  );
}

const useSpan = ({ traceId, index }: ComparedTrace, row: number) => {
  const spanId = row === -1 ? '' : index.spanId(row);
  return useApi(
    '/v0/traces/{id}/spans/{spanId}',
    { path: { id: traceId, spanId } },
    { enabled: row !== -1 && !index.isPlaceholder(row) },
  );
};

function SpanLink({
  side: { traceId, index },
  row,
  name,
}: {
  side: ComparedTrace;
  row: number;
  name: string;
}): ReactNode {
  if (row === -1) return <span>not in {name}</span>;
  return (
    <AppLink className="text-accent underline" href={`/traces/${traceId}?span=${index.spanId(row)}`}>
      Open in {name}
    </AppLink>
  );
}

const SIDES = [
  ['input', 'Input'],
  ['output', 'Output'],
] as const;

function Texts({ a, b }: { a: SpanDetail | null; b: SpanDetail | null }): ReactNode {
  const sections = [
    ...SIDES.map(([side, title]) => [title, contentText(a, side), contentText(b, side)] as const),
    ['Status', statusOf(a), statusOf(b)] as const,
  ].filter(([, first, second]) => first !== '' || second !== '');
  if (sections.length === 0) return <p className="text-dim">Neither span has an input or an output.</p>;
  return (
    <div className="grid gap-4">
      <p className="text-label text-dim">
        <del className={REMOVED}>Only in A</del> · <ins className={ADDED}>only in B</ins>
      </p>
      {sections.map(([title, first, second]) => (
        <Section key={title} title={first === second ? `${title} · equal` : title}>
          <WordDiff a={first} b={second} />
        </Section>
      ))}
    </div>
  );
}

const statusOf = (span: SpanDetail | null): string =>
  span === null || span.status.code !== 'ERROR' ? '' : `failed: ${span.status.message ?? 'no reason given'}`;
