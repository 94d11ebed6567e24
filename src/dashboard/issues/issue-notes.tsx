import { type ReactNode, useState } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { readNewest } from '../api/read-newest.ts';
import { useCall } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';
import { Moment } from '../ui/cells.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';

/** Number of notes from which they are split into halves. */
const MIN_SPLIT = 6;
const HALF_NAMES = { DRAFT: 'draft', HOLDOUT: 'holdout' } as const;
/** Notes that are shown at first, and that one click adds. */
const NOTES_STEP = 50;

/** Shows the newest notes that are evidence for an issue. */
export function IssueNotes({
  issue: { id, linkCount },
}: {
  issue: Pick<Issue, 'id' | 'linkCount'>;
}): ReactNode {
  const [count, setCount] = useState(NOTES_STEP);
  const notes = useCall(
    '/v0/notes',
    { query: { issueId: [id], count } },
    (api, signal) =>
      readNewest(count, (page) =>
        api.GET('/v0/notes', {
          params: { query: { issueId: [id], ...page, orderBy: 'createdAt', orderDir: 'desc' } },
          signal,
        }),
      ),
    { version: linkCount, keepsRows: true },
  );
  const total = notes.data?.pagination.total ?? 0;
  return (
    <Section title={total === 0 ? 'Notes' : `Notes · ${formatWhole(total)}`}>
      <Loaded of={notes}>
        {({ data }) => (
          <>
            {data.length === 0 && (
              <p className="border-t border-line py-2 text-dim">
                No note is evidence for it. Select words of a trace to write notes, and put them into the
                issue under{' '}
                <AppLink href="/issues/group" className="text-accent underline">
                  Notes without an issue
                </AppLink>
                .
              </p>
            )}
            <ul aria-label="Notes on the issue">
              {data.map(
                ({ id: noteId, createdBy, createdAt, text, quote, half, isSealed, traceId, spanId }) => (
                  <li key={noteId} className="border-t border-line py-1.5 [overflow-wrap:anywhere]">
                    <p className="flex flex-wrap items-center gap-x-3 text-label text-dim">
                      {total >= MIN_SPLIT && half !== null && <Badge>{HALF_NAMES[half]}</Badge>}
                      <b className="font-semibold text-ink">{createdBy.name}</b>
                      <Moment at={createdAt} />
                      <AppLink
                        href={`/traces/${traceId}?tab=notes${spanId === null ? '' : `&span=${spanId}`}`}
                        className="ml-auto text-accent underline"
                      >
                        trace
                      </AppLink>
                    </p>
                    {isSealed ? (
                      <p className="text-dim">Sealed: the evaluator is measured on it.</p>
                    ) : (
                      <p className="whitespace-pre-wrap">{text}</p>
                    )}
                    {quote !== null && <p className="line-clamp-3 text-dim">“{quote}”</p>}
                  </li>
                ),
              )}
            </ul>
            <ShowEarlier
              shown={data.length}
              total={total}
              step={NOTES_STEP}
              isBusy={notes.isFetching}
              what="notes"
              onMore={() => setCount(count + NOTES_STEP)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
