import { type ReactNode, useId, useMemo } from 'react';
import type { SpanDetail } from '../../../api/generated/schema.ts';
import type { SpanIndex } from '../../../span-index/reader.ts';
import { useApi } from '../../api/use-api.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { formatCount, formatMoney, formatWhole } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Loaded } from '../../ui/panel.tsx';
import { lookOf } from '../kinds.ts';
import { NotesTab } from '../notes/notes-tab.tsx';
import { useTraceNotes } from '../notes/trace-notes-context.ts';
import { useTraceEvals } from '../use-trace-evals.ts';
import { AttributesTab } from './attributes-tab.tsx';
import { ContentTab } from './content-tab.tsx';
import { EvalsTab } from './evals-tab.tsx';
import { OriginsTab } from './origins-tab.tsx';

/** Parts of the pane, and the keys that open them. */
const TABS = [
  ['evals', 'Verdicts', '1'],
  ['notes', 'Notes', '6'],
  ['content', 'Content', '2'],
  ['attributes', 'Attributes', '3'],
  ['origins', 'Where from', '4'],
  ['raw', 'Raw', '5'],
] as const;
type Tab = (typeof TABS)[number];

interface SpanPaneProps {
  traceId: string;
  index: SpanIndex;
  row: number;
  /** Row of the span that gave the answer; -1 without one. */
  answer: number;
  tab: string;
  onTab: (tab: string) => void;
  onSelect: (row: number) => void;
}

/** Everything about the selected span. */
export function SpanPane({ traceId, index, row, answer, tab, onTab, onSelect }: SpanPaneProps): ReactNode {
  const spanId = index.spanId(row);
  const isPlaceholder = index.isPlaceholder(row);
  const panelId = useId();
  const detail = useApi(
    '/v0/traces/{id}/spans/{spanId}',
    { path: { id: traceId, spanId } },
    { enabled: !isPlaceholder },
  );
  const hasNotes = (useTraceNotes()?.total ?? 0) > 0;
  const tabs = hasNotes ? TABS : TABS.filter(([name]) => name !== 'notes');
  const shown = tabs.find(([name]) => name === tab)?.[0] ?? 'content';
  const span = detail.data?.data;
  return (
    <aside aria-label="Selected span" className="flex h-full min-h-0 min-w-0 flex-col">
      <div className="shrink-0 px-4 pt-3">
        <SpanTitle
          index={index}
          row={row}
          isAnswer={row === answer}
          span={isPlaceholder ? undefined : span}
        />
        <Tabs traceId={traceId} tabs={tabs} shown={shown} panelId={panelId} span={span} onTab={onTab} />
      </div>
      <div id={panelId} role="tabpanel" tabIndex={0} className="min-h-0 grow overflow-auto px-4 py-3">
        {shown === 'evals' ? (
          <EvalsTab traceId={traceId} />
        ) : shown === 'notes' ? (
          <NotesTab spanId={spanId} />
        ) : isPlaceholder ? (
          <Placeholder index={index} row={row} />
        ) : (
          <Loaded of={detail}>
            {({ data }) => (
              <div key={data.id}>
                {shown === 'content' && (
                  <ContentTab span={data} index={index} row={row} onSelect={onSelect} />
                )}
                {shown === 'attributes' && <AttributesTab span={data} />}
                {shown === 'origins' && <OriginsTab span={data} />}
                {shown === 'raw' && <RawSpan span={data} />}
              </div>
            )}
          </Loaded>
        )}
      </div>
    </aside>
  );
}

/** The span as JSON that can be copied. */
function RawSpan({ span }: { span: SpanDetail }): ReactNode {
  const code = useMemo(() => JSON.stringify(span, null, 2), [span]);
  return <CodeBlock code={code} language="json" label="The span as JSON" />;
}

interface TabsProps {
  traceId: string;
  tabs: readonly Tab[];
  shown: string;
  panelId: string;
  span: SpanDetail | undefined;
  onTab: (tab: string) => void;
}

function Tabs({ traceId, tabs, shown, panelId, span, onTab }: TabsProps): ReactNode {
  useShortcuts(
    tabs.map(([name, title, keys]) => ({
      keys,
      label: title,
      group: 'Selected span',
      run: () => onTab(name),
    })),
  );
  const verdicts = useTraceEvals(traceId).data?.pagination.total ?? 0;
  const notes = useTraceNotes()?.total ?? 0;
  return (
    <div
      role="tablist"
      aria-label="Parts of the span"
      className="mt-2 flex gap-x-4 overflow-x-auto border-b border-line whitespace-nowrap"
    >
      {tabs.map(([name, title]) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === shown}
          aria-controls={panelId}
          className={classNames(
            'cursor-pointer border-b-2 pb-1.5',
            name === shown
              ? 'border-accent font-semibold text-ink'
              : 'border-transparent text-dim hover:text-ink',
          )}
          onClick={() => onTab(name)}
        >
          {title}
          {name === 'evals' && verdicts > 0 && (
            <span className="ml-1 font-normal">{formatWhole(verdicts)}</span>
          )}
          {name === 'notes' && <span className="ml-1 font-normal">{formatWhole(notes)}</span>}
          {name === 'attributes' && span && (
            <span className="ml-1 font-normal">{formatWhole(Object.keys(span.attributes).length)}</span>
          )}
        </button>
      ))}
    </div>
  );
}

function SpanTitle({
  index,
  row,
  isAnswer,
  span,
}: {
  index: SpanIndex;
  row: number;
  isAnswer: boolean;
  span: SpanDetail | undefined;
}): ReactNode {
  const usage = index.usageOf(row);
  const isPlaceholder = index.isPlaceholder(row);
  const isCurrent = span?.id === index.spanId(row);
  return (
    <>
      <h2 className="text-reading font-semibold break-words">
        {isPlaceholder ? 'Parent not received' : index.name(row) || '(no name)'}
      </h2>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-dim">
        {!isPlaceholder && (
          <b className={classNames('font-semibold', lookOf(index.kind(row)).text)}>{index.kind(row)}</b>
        )}
        <b className="font-semibold text-ink">{formatDuration(index.end(row) - index.start(row))}</b>
        <span>starts at +{formatDuration(index.start(row))}</span>
        {isAnswer && <span>the span that gave the answer</span>}
        {isCurrent && span.service !== '' && <span>{span.service}</span>}
        {usage?.model && <span>{usage.model}</span>}
        {usage !== null && usage.totalTokens > 0 && (
          <span title={`${formatWhole(usage.inputTokens)} in, ${formatWhole(usage.outputTokens)} out`}>
            {formatCount(usage.inputTokens)} → {formatCount(usage.outputTokens)} tokens
          </span>
        )}
        {usage !== null && usage.cost !== null && <span>{formatMoney(usage.cost)}</span>}
        <code className="font-mono text-label select-all">{index.spanId(row)}</code>
      </p>
      <p className="mt-1 flex flex-wrap gap-1.5 empty:hidden">
        {index.has(row, 'error') && (
          <Badge tone="fail">
            <span className="max-w-[320px] truncate">✕ {(isCurrent && span.status.message) || 'failed'}</span>
          </Badge>
        )}
        {ROW_FLAGS.filter(([flag]) => index.has(row, flag)).map(([flag, name, title]) => (
          <Badge key={flag} tone="doubt" title={title}>
            ? {name}
          </Badge>
        ))}
      </p>
    </>
  );
}

const ROW_FLAGS = [
  ['orphan', 'parent not received', 'Its parent has not arrived; a placeholder stands for it.'],
  ['cycle', 'loop of parents', 'Its parents form a loop, which ends here.'],
  ['skew', 'clocks differ', 'It starts before its parent, or its times had to be corrected.'],
  ['open', 'still open', 'Its end has not arrived.'],
] as const;

function Placeholder({ index, row }: { index: SpanIndex; row: number }): ReactNode {
  let children = 0;
  for (let child = row + 1; child < index.subtreeEnd(row); child = index.subtreeEnd(child)) children += 1;
  return (
    <div className="grid gap-2 text-reading text-dim">
      <p>
        {formatWhole(children)} {children === 1 ? 'span names' : 'spans name'} this id as the parent, and no
        span with it was received.
      </p>
      <p>
        It may still arrive: exporters send a parent when it ends, after its children. If it does not, look
        for it among the rejected spans, or for a process that stopped before its exporter was flushed.
      </p>
    </div>
  );
}
