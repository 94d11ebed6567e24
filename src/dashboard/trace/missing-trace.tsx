import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatAgo, formatMoment } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';

/** Says why there is no trace with an id: it was deleted, and when, or it never arrived here. */
export function MissingTrace({ traceId, onRetry }: { traceId: string; onRetry: () => void }): ReactNode {
  const lookup = useApi('/v0/ingest/lookup', { query: { traceId } });
  const deletedAt = lookup.data?.data.deletedAt ?? null;
  const id = <code className="font-mono break-all">{traceId}</code>;
  if (deletedAt !== null)
    return (
      <Empty title="This trace was deleted">
        <p>
          {id} was deleted {formatAgo(deletedAt)}, at{' '}
          <time dateTime={deletedAt} title={deletedAt}>
            {formatMoment(deletedAt)}
          </time>
          . Spans that arrive for it are rejected.
        </p>
      </Empty>
    );
  return (
    <Empty title="There is no trace with this id">
      <p>
        {id} may belong to another application, or its first span has not arrived.{' '}
        <AppLink href={`/health?find=${encodeURIComponent(traceId)}`} className="text-accent underline">
          Look it up in the ledger
        </AppLink>
      </p>
      <div>
        <Button onClick={onRetry}>Look again</Button>
      </div>
    </Empty>
  );
}
