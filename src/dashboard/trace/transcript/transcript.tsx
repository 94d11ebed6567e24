import { Fragment, type ReactNode, useMemo } from 'react';
import type { SpanIndex } from '../../../span-index/reader.ts';
import { type ReadAnswer, useApi } from '../../api/use-api.ts';
import { formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { classNames } from '../../ui/class-names.ts';
import { Code } from '../../ui/code-block.tsx';
import { Loaded } from '../../ui/panel.tsx';
import { lookOf } from '../kinds.ts';
import { NotableSpan, NotableValue } from '../notes/notable-text.tsx';
import { NotesBelow } from '../notes/notes-below.tsx';
import type { ShownMessage } from '../span/message.ts';
import { ConversationView, MessageParts, Payload, type SpanAddress } from '../span/messages.tsx';
import { Documents } from '../span/documents.tsx';
import { stepRows } from './answer.ts';
import { Bubble, BubbleText } from './bubble.tsx';
import { TraceVerdictSigns } from './verdict-signs.tsx';

interface TranscriptProps {
  traceId: string;
  index: SpanIndex;
  /** Row of the span that gave the answer. */
  answer: number;
  selected: number;
  onSelect: (row: number) => void;
}

/** A span with its content. */
type SpanContent = Pick<ReadAnswer<'/v0/traces/{id}/spans'>['data'][number], 'id' | 'mapped' | 'status'>;

/** The trace as a conversation: what was asked, what the app did, and the answer. */
export function Transcript({ traceId, index, answer, selected, onSelect }: TranscriptProps): ReactNode {
  const rows = useMemo(() => stepRows(index), [index]);
  const spanId = useMemo(() => rows.map((row) => index.spanId(row)), [index, rows]);
  const spans = useApi(
    '/v0/traces/{id}/spans',
    {
      path: { id: traceId },
      query: { spanId, include: 'payload' as const, limit: Math.max(spanId.length, 1) },
    },
    { enabled: spanId.length > 0 },
  );
  const given = useWords(traceId, index, answer);
  const ofAnswer = useMemo(() => [null, index.header.outputSpanId, index.spanId(answer)], [index, answer]);
  const byId = new Map((spans.data?.data ?? []).map((span) => [span.id, span]));
  const steps = rows.flatMap((row): { row: number; span: SpanContent }[] => {
    const span = byId.get(index.spanId(row));
    return span === undefined ? [] : [{ row, span }];
  });
  return (
    <div
      className="h-full min-h-0 min-w-0 overflow-auto px-4 py-3"
      tabIndex={0}
      role="region"
      aria-label="Transcript"
    >
      <div className="grid grid-cols-1 gap-2.5">
        <Loaded of={given}>
          {({ data }) => (
            <div className="grid grid-cols-1 gap-2.5">
              <NotableSpan
                spanId={data.id}
                also={ofAnswer}
                input={messagesOf(data, 'inputMessages')}
                output={NONE}
              >
                <Question span={data} place={{ traceId, spanId: data.id }} hasSteps={rows.length > 0} />
              </NotableSpan>
              <NotesBelow
                spanIds={ofAnswer}
                has={({ field }) => field === 'INPUT'}
                label="Notes on the question"
              />
            </div>
          )}
        </Loaded>
        {rows.length > 0 && (
          <Loaded of={spans}>
            {() => (
              <div className="grid grid-cols-1 gap-2.5">
                {steps.map(({ row, span }) => (
                  <Fragment key={span.id}>
                    <Step
                      index={index}
                      row={row}
                      span={span}
                      isSelected={row === selected}
                      onSelect={onSelect}
                    />
                    <NotesBelow spanIds={[span.id]} label={`Notes on ${index.name(row)}`} />
                  </Fragment>
                ))}
              </div>
            )}
          </Loaded>
        )}
        {given.data && (
          <NotableSpan
            spanId={given.data.data.id}
            also={ofAnswer}
            input={NONE}
            output={messagesOf(given.data.data, 'outputMessages')}
          >
            <Answer
              traceId={traceId}
              index={index}
              row={answer}
              span={given.data.data}
              isSelected={answer === selected}
              onSelect={onSelect}
            />
          </NotableSpan>
        )}
        <TraceVerdictSigns traceId={traceId} />
        <NotesBelow
          spanIds={ofAnswer}
          has={({ field }) => field !== 'INPUT'}
          label="Notes on the answer"
          isAnswer
        />
      </div>
    </div>
  );
}

/** Reads the words of an answer: of the call of the model, or, where that has none, of the span with the output of the trace. */
function useWords(traceId: string, index: SpanIndex, answer: number) {
  const own = index.spanId(answer);
  const call = useApi('/v0/traces/{id}/spans/{spanId}', { path: { id: traceId, spanId: own } });
  const outputId = index.header.outputSpanId ?? own;
  const hasNone = call.data !== undefined && outputId !== own && !hasOutput(call.data.data);
  const around = useApi(
    '/v0/traces/{id}/spans/{spanId}',
    { path: { id: traceId, spanId: outputId } },
    { enabled: hasNone },
  );
  return hasNone ? around : call;
}

const hasOutput = (span: SpanContent): boolean =>
  messagesOf(span, 'outputMessages').length > 0 || valueOf(span, 'output') !== undefined;

const valueOf = (span: SpanContent, field: string): unknown => span.mapped?.fields[field]?.value;
const messagesOf = (span: SpanContent, field: 'inputMessages' | 'outputMessages'): readonly ShownMessage[] =>
  (valueOf(span, field) as ShownMessage[] | undefined) ?? NONE;

const NONE: readonly never[] = [];

/** Messages that the model was given. With steps of their own, the tool calls of this turn are shown there instead. */
function Question({
  span,
  place,
  hasSteps,
}: {
  span: SpanContent;
  place: SpanAddress;
  hasSteps: boolean;
}): ReactNode {
  const messages = messagesOf(span, 'inputMessages');
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const shown = hasSteps && last !== -1 ? messages.slice(0, last + 1) : messages;
  const [system, rest] = [
    shown.filter(({ role }) => role === 'system'),
    shown.filter(({ role }) => role !== 'system'),
  ];
  return (
    <>
      {system.map((message, at) => (
        <details key={at} className="rounded-md border border-line">
          <summary className="flex cursor-pointer items-center gap-2 truncate px-2.5 py-1">
            <b className="font-semibold">System</b>
            <span className="min-w-0 truncate text-dim">{beginning(message)}</span>
          </summary>
          <div className="grid gap-2.5 border-t border-line px-2.5 py-2">
            <MessageParts message={message} place={place} />
          </div>
        </details>
      ))}
      {rest.length > 0 ? (
        <ConversationView input={rest} output={[]} place={place} />
      ) : (
        valueOf(span, 'input') !== undefined &&
        messages.length === 0 && (
          <Bubble title="Input">
            <NotableValue field="INPUT" value={valueOf(span, 'input')}>
              <BubbleText value={valueOf(span, 'input')} label="Input" />
            </NotableValue>
          </Bubble>
        )
      )}
    </>
  );
}

const beginning = ({ parts }: ShownMessage): string =>
  parts
    .map((part) => ('text' in part ? part.text : ''))
    .join(' ')
    .slice(0, 200);

interface StepProps {
  index: SpanIndex;
  row: number;
  span: SpanContent;
  isSelected: boolean;
  onSelect: (row: number) => void;
}

/** One thing that the app did: its call beside its result. */
function Step({ index, row, span, isSelected, onSelect }: StepProps): ReactNode {
  const look = lookOf(index.kind(row));
  const isError = index.has(row, 'error');
  const documents = valueOf(span, 'documents');
  const [input, output] = [valueOf(span, 'input'), valueOf(span, 'output')];
  return (
    <Bubble
      isSelected={isSelected}
      title={
        <>
          <b className={classNames('text-label font-semibold', look.text)} aria-hidden="true">
            {look.letter}
          </b>
          <NameButton name={index.name(row)} row={row} onSelect={onSelect} />
          {isError && (
            <span className="min-w-0 truncate text-fail">✕ {span.status?.message ?? 'failed'}</span>
          )}
        </>
      }
      note={formatDuration(index.end(row) - index.start(row))}
    >
      {(input !== undefined || output !== undefined || Array.isArray(documents)) && (
        <NotableSpan spanId={span.id} input={NONE} output={NONE}>
          <div
            className={classNames(
              'grid grid-cols-1 gap-3',
              input !== undefined && output !== undefined && 'min-[1024px]:grid-cols-2',
            )}
          >
            {input !== undefined && (
              <NotableValue field="INPUT" value={input}>
                <Brief value={input} label={`Input of ${index.name(row)}`} />
              </NotableValue>
            )}
            {Array.isArray(documents) ? (
              <NotableValue field="OUTPUT" value={documents}>
                <Documents documents={documents} />
              </NotableValue>
            ) : (
              output !== undefined && (
                <NotableValue field="OUTPUT" value={output}>
                  <Brief value={output} label={`Output of ${index.name(row)}`} />
                </NotableValue>
              )
            )}
          </div>
        </NotableSpan>
      )}
    </Bubble>
  );
}

/** Characters of a value that is shown completely; larger ones open and close. */
const MAX_BRIEF = 1_500;

/** A value as coloured JSON or text; a large one as a tree. */
function Brief({ value, label }: { value: unknown; label: string }): ReactNode {
  const json = useMemo(() => prettyJson(value), [value]);
  if (json === null || json.length > MAX_BRIEF) return <Payload value={value} label={label} />;
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className="min-w-0 overflow-x-auto font-mono text-label leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      <Code code={json} language="json" />
    </pre>
  );
}

/** Returns JSON with line ends; null for a text that is none. */
function prettyJson(value: unknown): string | null {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  if (!/^\s*[[{]/.test(value)) return null;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return null;
  }
}

const NameButton = ({
  name,
  row,
  onSelect,
}: {
  name: string;
  row: number;
  onSelect: (row: number) => void;
}): ReactNode => (
  <button
    type="button"
    className="min-w-0 cursor-pointer truncate font-semibold text-ink hover:text-accent"
    onClick={() => onSelect(row)}
  >
    {name || '(no name)'}
  </button>
);

function Answer({
  traceId,
  index,
  row,
  span,
  isSelected,
  onSelect,
}: StepProps & { traceId: string }): ReactNode {
  const messages = messagesOf(span, 'outputMessages');
  const usage = index.usageOf(row);
  const facts = [
    usage?.model,
    formatDuration(index.end(row) - index.start(row)),
    usage !== null && usage.outputTokens > 0 ? `${formatCount(usage.outputTokens)} tokens` : null,
  ];
  return (
    <Bubble
      isAnswer
      isSelected={isSelected}
      title={
        <>
          <b className="font-semibold">Assistant</b>
          <button
            type="button"
            className="cursor-pointer font-semibold text-accent"
            onClick={() => onSelect(row)}
          >
            the answer
          </button>
        </>
      }
      note={facts.filter(Boolean).join(' · ')}
    >
      {messages.length > 0
        ? messages.map((message, at) => (
            <MessageParts key={at} message={message} place={{ traceId, spanId: span.id }} />
          ))
        : valueOf(span, 'output') !== undefined && (
            <NotableValue field="OUTPUT" value={valueOf(span, 'output')}>
              <BubbleText value={valueOf(span, 'output')} label="Answer" />
            </NotableValue>
          )}
    </Bubble>
  );
}
