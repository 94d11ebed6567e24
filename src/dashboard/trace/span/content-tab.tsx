import { type ReactNode, useMemo } from 'react';
import type { SpanDetail } from '../../../api/generated/schema.ts';
import type { SpanIndex } from '../../../span-index/reader.ts';
import { formatWhole } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { Section } from '../../ui/panel.tsx';
import { NotableSpan, NotableValue } from '../notes/notable-text.tsx';
import { Documents } from './documents.tsx';
import { JsonTree } from './json-tree.tsx';
import type { ShownMessage, ShownDocument } from './message.ts';
import { Card, ConversationView, Payload, Prose } from './messages.tsx';

/** Children of a span without content of its own that are listed. */
const MAX_CHILDREN = 50;

const NONE: readonly never[] = [];

interface ContentTabProps {
  span: SpanDetail;
  index: SpanIndex;
  row: number;
  onSelect: (row: number) => void;
}

/** Shows the input and output of a span in the form that a person reads. */
export function ContentTab({ span, index, row, onSelect }: ContentTabProps): ReactNode {
  const value = (field: string): unknown => span.mapped.fields[field]?.value;
  const messages = (field: string): readonly ShownMessage[] =>
    (value(field) as ShownMessage[] | undefined) ?? NONE;
  const [input, output] = [messages('inputMessages'), messages('outputMessages')];
  const documents = (value('documents') as ShownDocument[] | undefined) ?? [];
  const { outputSpanId } = index.header;
  const also = useMemo(() => (span.id === outputSpanId ? [null] : []), [span.id, outputSpanId]);
  const hasContent = ['input', 'output', 'inputMessages', 'outputMessages', 'documents'].some(
    (field) => value(field) !== undefined,
  );
  return (
    <NotableSpan spanId={span.id} also={also} input={input} output={output}>
      <div className="grid grid-cols-1 gap-3">
        <Failure span={span} />
        {input.length + output.length > 0 ? (
          <ConversationView
            input={input}
            output={output}
            place={{ traceId: span.traceId, spanId: span.id }}
          />
        ) : null}
        {input.length === 0 && value('input') !== undefined && (
          <Side
            span={span}
            title={span.kind === 'TOOL' ? 'Tool call' : 'Input'}
            value={value('input')}
            field="INPUT"
          />
        )}
        {documents.length > 0 && (
          <NotableValue field="OUTPUT" value={documents}>
            <Documents documents={documents} />
          </NotableValue>
        )}
        {output.length === 0 && documents.length === 0 && value('output') !== undefined && (
          <Side
            span={span}
            title={span.kind === 'TOOL' ? 'Result' : 'Output'}
            value={value('output')}
            field="OUTPUT"
          />
        )}
        {!hasContent && <Children index={index} row={row} onSelect={onSelect} />}
        <More span={span} />
      </div>
    </NotableSpan>
  );
}

interface SideProps {
  span: SpanDetail;
  title: string;
  field: 'INPUT' | 'OUTPUT';
  value: unknown;
}

function Side({ span, title, field, value }: SideProps): ReactNode {
  const isError = title === 'Result' && span.status.code === 'ERROR';
  const isProse = typeof value === 'string' && span.kind !== 'TOOL' && !/^\s*[[{]/.test(value);
  const note = isError
    ? 'error'
    : span.kind === 'TOOL'
      ? textOf(span.mapped.fields['toolName']?.value) || span.name
      : '';
  return (
    <Card title={title} note={note} isError={isError}>
      <NotableValue field={field} value={value}>
        {isProse ? <Prose text={value} /> : <Payload value={value} label={title} />}
      </NotableValue>
    </Card>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Shows why a span failed: its status, and the exceptions that were recorded on it. */
function Failure({ span }: { span: SpanDetail }): ReactNode {
  const exceptions = span.events.filter(({ name }) => name === 'exception');
  const { code, message } = span.status;
  if (code !== 'ERROR' && exceptions.length === 0) return null;
  return (
    <Card title={code === 'ERROR' ? 'Error' : 'Exception'} isError={code === 'ERROR'}>
      {message !== undefined && message !== '' && <p className="break-words text-fail">{message}</p>}
      {exceptions.map((event, at) => {
        const attributes = (event['attributes'] ?? {}) as Record<string, unknown>;
        const text = (key: string): string => textOf(attributes[`exception.${key}`]);
        return (
          <div key={at}>
            <p className="break-words">
              <b className="font-semibold">{text('type')}</b> {text('message')}
            </p>
            {text('stacktrace') !== '' && (
              <details>
                <summary className="cursor-pointer text-dim">Stack trace</summary>
                <pre tabIndex={0} className="overflow-x-auto font-mono text-label">
                  {text('stacktrace')}
                </pre>
              </details>
            )}
          </div>
        );
      })}
      {code === 'ERROR' && !message && exceptions.length === 0 && (
        <p className="text-dim">The sender gave no reason.</p>
      )}
    </Card>
  );
}

/** Stands in for the content of a span that has none: the spans directly below it. */
function Children({ index, row, onSelect }: Omit<ContentTabProps, 'span'>): ReactNode {
  const children: number[] = [];
  let count = 0;
  for (let child = row + 1; child < index.subtreeEnd(row); child = index.subtreeEnd(child)) {
    count += 1;
    if (children.length < MAX_CHILDREN) children.push(child);
  }
  return (
    <>
      <p className="text-dim">This span has no input or output. Its attributes are in the next tab.</p>
      {count > 0 && (
        <Section title={`Directly below · ${formatWhole(count)}`}>
          <ul>
            {children.map((child) => (
              <li key={child} className="flex border-b border-line py-0.5">
                <button
                  type="button"
                  className="min-w-0 grow cursor-pointer truncate text-left hover:text-accent"
                  onClick={() => onSelect(child)}
                >
                  {index.name(child) || '(no name)'}
                </button>
                <span className="text-dim">{formatDuration(index.end(child) - index.start(child))}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** Fields of a model call that are rarely needed. */
function More({ span }: { span: SpanDetail }): ReactNode {
  const fields = ['parameters', 'toolDefinitions', 'evaluations', 'finishReasons', 'metadata', 'tags'].filter(
    (field) => span.mapped.fields[field] !== undefined,
  );
  return fields.map((field) => (
    <details key={field}>
      <summary className="cursor-pointer text-dim">{MORE[field]}</summary>
      <div className="mt-1">
        <JsonTree value={span.mapped.fields[field]?.value} label={MORE[field] ?? field} />
      </div>
    </details>
  ));
}

const MORE: Readonly<Record<string, string>> = {
  parameters: 'Parameters',
  toolDefinitions: 'Tools it was offered',
  evaluations: 'Evaluations of the sender',
  finishReasons: 'Reasons why it stopped',
  metadata: 'Metadata',
  tags: 'Tags',
};
