import type { ReactNode } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import type { Href } from '../app/paths.ts';
import { Section } from '../ui/panel.tsx';

/** Longest text that is shown, in characters; the trace has all of it. */
const MAX_TEXT = 20_000;

/** Shows what the app was asked and what it responded, as its spans report it. */
export function InputOutputPanel({ test }: { test: Test }): ReactNode {
  const { prompt, input, output, traceIds, outputSpanId } = test;
  const isEcho = input === prompt;
  return (
    <>
      <Text title="Prompt" value={prompt} />
      {input !== null && !isEcho && <Text title="Input of the app" value={input} />}
      {output !== null && (
        <Text
          title="Output of the app"
          value={output}
          link={
            traceIds[0] === undefined
              ? undefined
              : `/traces/${traceIds[0]}${outputSpanId === null ? '' : `?span=${outputSpanId}`}`
          }
        />
      )}
      {test.metadata !== null && test.metadata !== undefined && (
        <Text title="Metadata" value={test.metadata} />
      )}
    </>
  );
}

function Text({ title, value, link }: { title: string; value: unknown; link?: Href | undefined }): ReactNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isLong = text.length > MAX_TEXT;
  return (
    <Section
      title={title}
      actions={
        link !== undefined && (
          <AppLink href={link} className="text-accent underline">
            Open its span
          </AppLink>
        )
      }
    >
      <div
        className={`rounded-md border border-line px-3 py-2 break-words whitespace-pre-wrap ${typeof value === 'string' ? 'text-reading' : 'font-mono text-label'}`}
      >
        {isLong ? `${text.slice(0, MAX_TEXT)}…` : text}
      </div>
    </Section>
  );
}
