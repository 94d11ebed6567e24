import { type ReactNode, useEffect, useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { formatAgo } from '../format/time.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { readIds } from './read-ids.ts';
import { RejectionTable } from './rejections.tsx';

interface LookupProps {
  /** Ids as they were entered. */
  find: string;
  onFind: (find: string) => void;
}

/** Says what became of a span or a trace. */
export function LookupForm({ find, onFind }: LookupProps): ReactNode {
  const [text, setText] = useState(find);
  useEffect(() => setText(find), [find]);
  const ids = readIds(find);
  return (
    <Section title="Where is a span?">
      <Form className="mt-1 flex items-start gap-2" onSubmit={() => onFind(text.trim())}>
        <div className="grow">
          <TextField
            label="Trace id, or trace id and span id"
            help="As hex digits or a uuid; a traceparent header works too."
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-label"
            value={text}
            onChange={(event) => setText(event.target.value)}
            problem={
              find !== '' && ids === null ? 'There is no id of 32 hex digits in this text.' : undefined
            }
          />
        </div>
        <Button type="submit" className="mt-[21px]">
          Look up
        </Button>
      </Form>
      {ids !== null && <Whereabouts {...ids} />}
    </Section>
  );
}

function Whereabouts({ traceId, spanId }: { traceId: string; spanId: string | null }): ReactNode {
  const lookup = useApi('/v0/ingest/lookup', { query: { traceId, ...(spanId !== null && { spanId }) } });
  return (
    <div className="mt-3">
      <Loaded of={lookup}>
        {({ data: { stored, traceSpanCount, traceUpdatedAt, deletedAt, rejections } }) => (
          <div className="grid gap-2">
            <p className="flex flex-wrap items-center gap-2">
              {stored ? <Badge tone="pass">✓ Stored</Badge> : <Badge tone="fail">✕ Not stored</Badge>}
              {deletedAt !== null && `The trace was deleted ${formatAgo(deletedAt)}.`}
              {traceSpanCount > 0 ? (
                <AppLink
                  href={`/traces/${traceId}${spanId === null || !stored ? '' : `?span=${spanId}`}`}
                  className="text-accent underline"
                >
                  The trace has {formatWhole(traceSpanCount)} {traceSpanCount === 1 ? 'span' : 'spans'}
                </AppLink>
              ) : (
                deletedAt === null && 'No span of this trace has arrived.'
              )}
              {traceUpdatedAt !== null && (
                <span className="text-dim">the last arrived {formatAgo(traceUpdatedAt)}</span>
              )}
            </p>
            {rejections.length > 0 ? (
              <RejectionTable rejections={rejections} />
            ) : (
              !stored &&
              deletedAt === null && (
                <p className="text-dim">
                  Nothing under this id was rejected either: it never reached this application. Check the
                  sampler of the SDK, whether the process flushed its exporter, and which application the key
                  of the exporter belongs to.
                </p>
              )
            )}
          </div>
        )}
      </Loaded>
    </div>
  );
}
