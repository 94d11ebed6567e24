import { lazy, type ReactNode, Suspense, useState } from 'react';
import { formatWhole } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { NotablePart } from '../notes/notable-text.tsx';
import { JsonTree } from './json-tree.tsx';
import { MediaView } from './media.tsx';
import {
  lastTurn,
  type ShownMessage,
  type ShownPart,
  pairTools,
  type ShownToolCall,
  type ToolResult,
  type MessageWithResults,
} from './message.ts';

const MarkdownText = lazy(() =>
  import('./markdown.tsx').then((module) => ({ default: module.MarkdownText })),
);

/** Names the span that media are loaded from. */
export interface SpanAddress {
  traceId: string;
  spanId: string;
}

/** A conversation with a model as bubbles. Everything before the last message of the user is folded. */
export function ConversationView({
  input,
  output,
  place,
}: {
  input: readonly ShownMessage[];
  output: readonly ShownMessage[];
  place: SpanAddress;
}): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const turns = pairTools([...input, ...output]);
  const answers = new Set(output.flatMap(({ parts }) => parts));
  const first = isWhole
    ? 0
    : Math.min(lastTurn(turns), turns.findIndex((turn) => isAnswer(turn, answers)) >>> 0);
  return (
    <div className="grid gap-2.5">
      {(first > 0 || isWhole) && (
        <Button
          look="quiet"
          aria-expanded={isWhole}
          className="justify-self-start"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole
            ? '▾ Fold earlier messages'
            : `▸ ${formatWhole(first)} earlier ${first === 1 ? 'message' : 'messages'}`}
        </Button>
      )}
      {turns.slice(first).map((turn, at) => (
        <Bubble key={first + at} turn={turn} isAnswer={isAnswer(turn, answers)} place={place} />
      ))}
    </div>
  );
}

const isAnswer = ({ message }: MessageWithResults, answers: ReadonlySet<ShownPart>): boolean =>
  message.parts.some((part) => answers.has(part));

function Bubble({
  turn,
  isAnswer: isOutput,
  place,
}: {
  turn: MessageWithResults;
  isAnswer: boolean;
  place: SpanAddress;
}): ReactNode {
  const { role, name, parts, finishReason } = turn.message;
  const isUser = role === 'user';
  return (
    <article
      aria-label={`Message of ${name ?? role}`}
      className={classNames(
        'overflow-hidden rounded-md border',
        isUser ? 'ml-6 border-accent' : isOutput ? 'border-edge' : 'border-line',
      )}
    >
      <p className="flex gap-2 border-b border-line bg-panel px-2.5 py-1 text-label text-dim">
        <b className="font-semibold text-ink capitalize">{role}</b>
        {name}
        <span className="ml-auto">
          {isOutput && 'response'}
          {finishReason !== undefined && ` · ${finishReason}`}
        </span>
      </p>
      <div className="grid gap-2.5 px-2.5 py-2">
        {parts.map((part, at) => (
          <Part
            key={at}
            part={part}
            result={part.type === 'tool_call' ? turn.results.get(part) : undefined}
            place={place}
          />
        ))}
        {parts.length === 0 && <span className="text-dim">(empty)</span>}
      </div>
    </article>
  );
}

/** Shows everything that a message contains. */
export const MessageParts = ({ message, place }: { message: ShownMessage; place: SpanAddress }): ReactNode =>
  message.parts.map((part, at) => <Part key={at} part={part} result={undefined} place={place} />);

function Part({
  part,
  result,
  place,
}: {
  part: ShownPart;
  result: ToolResult | undefined;
  place: SpanAddress;
}): ReactNode {
  switch (part.type) {
    case 'text':
      return (
        <NotablePart part={part}>
          <Prose text={part.text} />
        </NotablePart>
      );
    case 'reasoning':
      return (
        <details>
          <summary className="cursor-pointer text-dim">Reasoning</summary>
          <div className="mt-1 text-dim">
            <NotablePart part={part}>
              <Prose text={part.text} />
            </NotablePart>
          </div>
        </details>
      );
    case 'tool_call':
      return <Call call={part} result={result} />;
    case 'tool_result':
      return (
        <Card title="Result" note={part.name ?? part.id ?? ''}>
          <NotablePart part={part}>
            <Payload value={part.result} label="Result of the tool" />
          </NotablePart>
        </Card>
      );
    case 'other':
      return (
        <NotablePart part={part}>
          <JsonTree value={part.value} label="Part of unknown type" />
        </NotablePart>
      );
    default:
      return <MediaView part={part} {...place} />;
  }
}

function Call({ call, result }: { call: ShownToolCall; result: ToolResult | undefined }): ReactNode {
  return (
    <div className="grid gap-1.5">
      <Card title="Tool call" note={call.name}>
        <NotablePart part={call}>
          <Payload value={call.arguments} label={`Arguments of ${call.name}`} />
        </NotablePart>
      </Card>
      {result !== undefined && (
        <Card title="Result" note={call.id ?? ''}>
          <NotablePart part={result}>
            <Payload value={result.result} label={`Result of ${call.name}`} />
          </NotablePart>
        </Card>
      )}
    </div>
  );
}

/** A titled frame around a value. */
export function Card({
  title,
  note,
  isError = false,
  children,
}: {
  title: string;
  note?: ReactNode;
  isError?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <div
      role="group"
      aria-label={title}
      className={classNames('rounded-md border', isError ? 'border-fail' : 'border-line')}
    >
      <p className="flex gap-3 rounded-t-md border-b border-line bg-panel px-2.5 py-1 text-label text-dim">
        <span>{title}</span>
        <span className={classNames('ml-auto truncate', isError && 'text-fail')}>{note}</span>
      </p>
      <div className="px-2.5 py-2">{children}</div>
    </div>
  );
}

/** Shows a text as its writer meant it; until the code for that has loaded, as it is. */
export const Prose = ({ text }: { text: string }): ReactNode => (
  <div className="text-reading">
    <Suspense fallback={<p className="break-words whitespace-pre-wrap">{text}</p>}>
      <MarkdownText text={text} />
    </Suspense>
  </div>
);

/** Shows arguments and results of tools: JSON as a tree, other texts as they are. */
export function Payload({ value, label }: { value: unknown; label: string }): ReactNode {
  const parsed = typeof value === 'string' ? parse(value) : value;
  if (typeof parsed === 'string')
    return <p className="font-mono text-label leading-5 break-words whitespace-pre-wrap">{parsed}</p>;
  return <JsonTree value={parsed} label={label} />;
}

function parse(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
