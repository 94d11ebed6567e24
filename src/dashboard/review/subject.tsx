import type { ReactNode } from 'react';
import type { ReviewContent } from '../../api/generated/schema.ts';

/** Shows what is judged: the conversation, what the app did, the response under review, and documents. */
export function ReviewSubject({ content }: { content: ReviewContent }): ReactNode {
  const { turns, input, output, steps, documents, isTruncated } = content;
  return (
    <div className="mx-auto grid w-full max-w-[760px] content-start gap-2.5 px-4 py-4">
      {turns.map((turn, place) => (
        <details key={place} className="rounded-md border border-line">
          <summary className="cursor-pointer truncate px-3 py-2 text-dim">
            Turn {place + 1}: {shownText(turn.input)}
          </summary>
          <div className="grid gap-2 border-t border-line px-3 py-2 text-reading [overflow-wrap:anywhere] whitespace-pre-wrap">
            <p>{shownText(turn.input)}</p>
            <p>{shownText(turn.output)}</p>
          </div>
        </details>
      ))}
      <Part title="User">{shownText(input)}</Part>
      {steps.length > 0 && (
        <section aria-label="What the app did" className="rounded-md border border-line">
          <h2 className="rounded-t-md border-b border-line bg-panel px-3 py-1.5 font-semibold">
            What the app did
          </h2>
          <ol className="grid gap-1.5 px-3 py-2 font-mono text-mono [overflow-wrap:anywhere] whitespace-pre-wrap">
            {steps.map((step, place) => (
              <li key={place}>
                {step.name}({step.arguments === null ? '' : shownText(step.arguments)})
                <div className={step.isError ? 'text-fail' : 'text-dim'}>
                  {step.isError && '✕ '}
                  {shownText(step.result)}
                </div>
              </li>
            ))}
          </ol>
        </section>
      )}
      <Part title="App" isJudged>
        {shownText(output)}
      </Part>
      <p className="text-label text-dim">
        {isTruncated && 'It is longer than shown. '}
        Model, version, and the verdicts of judges and of others stay hidden until the item is settled: the
        server does not send them before.
      </p>
      {documents.map(({ id, title, content: text }) => (
        <details key={id} className="rounded-md border border-line">
          <summary className="cursor-pointer px-3 py-2 font-semibold">{title}</summary>
          <div className="border-t border-line px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
            {text}
          </div>
        </details>
      ))}
    </div>
  );
}

const Part = ({
  title,
  isJudged = false,
  children,
}: {
  title: string;
  isJudged?: boolean;
  children: string;
}): ReactNode => (
  <section
    aria-label={isJudged ? 'Response under review' : title}
    className={`rounded-md border ${isJudged ? 'border-accent' : 'border-line'}`}
  >
    <h2 className="rounded-t-md border-b border-line bg-panel px-3 py-1.5 font-semibold">
      {title} {isJudged && <span className="ml-1 text-accent">under review</span>}
    </h2>
    <div className="px-3 py-2 text-reading [overflow-wrap:anywhere] whitespace-pre-wrap">{children}</div>
  </section>
);

interface Message {
  role?: unknown;
  content?: unknown;
  parts?: unknown;
  text?: unknown;
}

/** Returns a value as people read it: the texts of messages, and JSON for all else. */
function shownText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage))
    return value.map((one) => textOfMessage(one)).join('\n\n');
  return isMessage(value) ? textOfMessage(value) : JSON.stringify(value, null, 2);
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && ('content' in value || 'parts' in value || 'text' in value);

function textOfMessage({ content, parts, text }: Message): string {
  const body = text ?? content ?? parts;
  if (typeof body === 'string') return body;
  return Array.isArray(body) ? body.map(shownText).join('\n') : JSON.stringify(body);
}
