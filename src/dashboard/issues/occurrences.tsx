import type { ReactNode } from 'react';
import type { Issue, Occurrence } from '../../api/generated/schema.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { Moment, RowAction } from '../ui/cells.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { useMayAnnotate } from './use-may-annotate.ts';

/** Linked traces that the page shows; the list of traces has all of them. */
const MAX_SHOWN = 100;

interface OccurrencesProps {
  issue: Pick<Issue, 'number' | 'linkCount' | 'deletedCount' | 'mergedInto'>;
  onLink: () => void;
}

/** Lists the newest traces that show an issue, each with its test. */
export function Occurrences({ issue, onLink }: OccurrencesProps): ReactNode {
  const { number, linkCount, deletedCount, mergedInto } = issue;
  const mayAnnotate = useMayAnnotate();
  const mayChange = mayAnnotate && mergedInto === null;
  const path = { id: String(number) };
  const list = useApi(
    '/v0/issues/{id}/occurrences',
    { path, query: { limit: MAX_SHOWN, orderBy: 'seenAt', orderDir: 'desc' } },
    { keepsRows: true, version: linkCount },
  );
  const unlink = useAction(['/v0/issues', '/v0/notes'], (api, linkId: string) =>
    api.DELETE('/v0/issues/{id}/links/{linkId}', { params: { path: { ...path, linkId } } }),
  );
  return (
    <Section
      title={linkCount === 0 ? 'Occurrences' : `Occurrences · ${formatWhole(linkCount)}`}
      actions={
        <>
          {linkCount > 0 && (
            <AppLink href={`/traces?q=issue:${number}`} className="text-accent underline">
              Open in Traces
            </AppLink>
          )}
          {mayChange && (
            <Button keys="l" onClick={onLink}>
              Link traces …
            </Button>
          )}
        </>
      }
    >
      <Loaded of={list}>
        {({ data, pagination }) => (
          <>
            {data.length === 0 && deletedCount === 0 && (
              <p className="border-t border-line py-2 text-dim">
                No trace is linked. Select rows in Traces or in the results of a run, and choose “Add to
                issue”.
              </p>
            )}
            <ul aria-label="Linked traces">
              {data.map((one) => (
                <OccurrenceRow
                  key={one.id}
                  occurrence={one}
                  onRemove={
                    mayChange
                      ? () =>
                          unlink.mutate(one.id, { onSuccess: () => announce('Trace removed from the issue') })
                      : undefined
                  }
                />
              ))}
            </ul>
            {pagination.total > data.length && (
              <p className="py-1 text-dim">
                The newest {formatWhole(data.length)} of {formatWhole(pagination.total)} are shown; Traces has
                all of them.
              </p>
            )}
            {deletedCount > 0 && (
              <p className="border-t border-line py-1.5 text-dim">
                {formatWhole(deletedCount)} {deletedCount === 1 ? 'trace is' : 'traces are'} deleted. They
                still count.
              </p>
            )}
          </>
        )}
      </Loaded>
      <ErrorLine error={unlink.error} />
    </Section>
  );
}

function OccurrenceRow({
  occurrence: { traceId, testId, seenAt, source, input, output },
  onRemove,
}: {
  occurrence: Occurrence;
  onRemove: (() => void) | undefined;
}): ReactNode {
  const name = input ?? output ?? traceId;
  return (
    <li className="grid grid-cols-1 gap-0.5 border-t border-line py-1.5">
      <p className="flex flex-wrap items-center gap-x-3 text-label text-dim">
        <Moment at={seenAt} />
        {source === 'NOTE' && <span>by a note</span>}
        {testId !== null && (
          <AppLink href={`/tests/${testId}`} className="text-accent underline">
            test<span className="sr-only"> of {name}</span>
          </AppLink>
        )}
        {onRemove && (
          <span className="ml-auto">
            <RowAction of={name} onClick={onRemove}>
              Remove
            </RowAction>
          </span>
        )}
      </p>
      <p className="truncate">
        <AppLink href={`/traces/${traceId}`} className="text-ink hover:text-accent">
          {name}
        </AppLink>
      </p>
      {input !== null && output !== null && <p className="truncate text-dim">{output}</p>}
    </li>
  );
}
