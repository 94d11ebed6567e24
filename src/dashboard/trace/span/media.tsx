import { type ReactNode, useEffect, useState } from 'react';
import { useCall } from '../../api/use-api.ts';
import { formatBytes } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorLine } from '../../ui/error-panel.tsx';
import type { MediaPart } from './message.ts';

/** Images up to this size are shown at once; larger ones when the person wants them. */
const MAX_AT_ONCE = 2_000_000;

interface MediaProps {
  traceId: string;
  spanId: string;
  part: MediaPart;
}

/** Shows an image or the like that was sent within a span. Of one that lies elsewhere, only the address: it is never loaded. */
export function MediaView({ traceId, spanId, part }: MediaProps): ReactNode {
  const { type, mimeType, size, mediaIndex, uri, fileId } = part;
  const [isWanted, setWanted] = useState(type === 'image' && (size ?? 0) <= MAX_AT_ONCE);
  const facts = [mimeType ?? type, size === undefined ? null : formatBytes(size)].filter(Boolean).join(', ');
  return (
    <figure className="grid justify-items-start gap-1">
      {mediaIndex === undefined ? (
        <code className="font-mono text-label break-all">{uri ?? fileId ?? 'no address'}</code>
      ) : isWanted ? (
        <StoredMedia traceId={traceId} spanId={spanId} type={type} index={mediaIndex} />
      ) : (
        <Button onClick={() => setWanted(true)}>Load</Button>
      )}
      <figcaption className="text-label text-dim">
        {facts}
        {mediaIndex === undefined && '; it is stored elsewhere and not loaded'}
      </figcaption>
    </figure>
  );
}

function StoredMedia({
  traceId,
  spanId,
  type,
  index,
}: {
  traceId: string;
  spanId: string;
  type: MediaPart['type'];
  index: number;
}): ReactNode {
  const path = { id: traceId, spanId, index };
  const { data: blob, error } = useCall(
    '/v0/traces/{id}/spans/{spanId}/media/{index}',
    { path },
    (api, signal) =>
      api.GET('/v0/traces/{id}/spans/{spanId}/media/{index}', { params: { path }, parseAs: 'blob', signal }),
  );
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (blob === undefined) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (error !== null) return <ErrorLine error={error} />;
  if (url === null) return <span className="text-dim">Loading …</span>;
  if (type === 'image')
    return (
      <img
        src={url}
        alt="Sent within the span"
        className="max-h-[320px] max-w-full rounded-md border border-line"
      />
    );
  return (
    <a href={url} download={`${spanId}-${index}`} className="text-accent underline">
      Save the file
    </a>
  );
}
