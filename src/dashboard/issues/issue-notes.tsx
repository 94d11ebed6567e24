import type { ReactNode } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';
import { Moment } from '../ui/cells.tsx';
import { Loaded, Section } from '../ui/panel.tsx';

const MAX_NOTES = 50;
/** Number of notes from which they are split into halves. */
const MIN_SPLIT = 6;
const HALF_NAMES = { DRAFT: 'draft', HOLDOUT: 'holdout' } as const;

/** Shows the newest notes that are evidence for an issue. */
export function IssueNotes({
  issue: { id, linkCount },
}: {
  issue: Pick<Issue, 'id' | 'linkCount'>;
}): ReactNode {
  const notes = useApi(
    '/v0/notes',
    { query: { issueId: [id], limit: MAX_NOTES, orderBy: 'createdAt', orderDir: 'desc' } },
    { version: linkCount },
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
            {total > data.length && (
              <p className="py-1 text-dim">and {formatWhole(total - data.length)} earlier</p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
