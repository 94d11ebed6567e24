import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatAgo } from '../format/time.ts';
import { Badge } from '../ui/badge.tsx';
import { changedPart, parsedJson, type PastedRequest, valueAt } from './parse-request.ts';

interface Verdict {
  valid: boolean;
  reason?: 'stale' | 'other_secret' | 'body_changed' | 'malformed';
  pointer?: string;
  detail?: string;
}

interface SignatureVerdictProps {
  verdict: Verdict;
  request: PastedRequest;
  /** True if the server explains verdicts to this person. */
  mayExplain: boolean;
}

/** Says whether a signature is valid, and if not, why and what to do about it. */
export function SignatureVerdict({ verdict, request, mayExplain }: SignatureVerdictProps): ReactNode {
  const { valid, reason, pointer, detail } = verdict;
  if (valid)
    return (
      <Outcome badge={<Badge tone="pass">✓ Valid</Badge>}>
        This service signed exactly this body. If your app rejects it, its own check differs: compare it with
        the{' '}
        <AppLink href="/webhook?tab=code" className="text-accent underline">
          verifying code
        </AppLink>
        .
      </Outcome>
    );
  if (reason === undefined)
    return (
      <Outcome badge={<Badge tone="fail">✕ Not valid</Badge>}>
        {mayExplain ? 'The server gave no reason.' : 'Administrators see the reason here.'}
      </Outcome>
    );
  if (reason === 'stale') return <Stale timestamp={request.timestamp} />;
  if (reason === 'other_secret')
    return (
      <Outcome badge={<Badge tone="fail">✕ Another secret</Badge>}>
        The body is intact as far as it can be compared, but no current secret of this webhook made the
        signature. The request comes from another application or server, or was signed with a secret that was
        replaced more than 24 hours ago. Configure the secret of this webhook in your app; if it is lost,
        rotate it in Settings.
      </Outcome>
    );
  if (reason === 'malformed')
    return (
      <Outcome badge={<Badge tone="doubt">! Malformed</Badge>}>
        {detail}. Pass on signature, timestamp and body unchanged.
      </Outcome>
    );
  return <Changed request={request} pointer={pointer ?? ''} />;
}

const Outcome = ({ badge, children }: { badge: ReactNode; children: ReactNode }): ReactNode => (
  <div className="grid justify-items-start gap-2">
    {badge}
    <p className="text-reading">{children}</p>
  </div>
);

function Stale({ timestamp }: { timestamp: string }): ReactNode {
  const at = Number(timestamp);
  const isFuture = at > Date.now();
  return (
    <Outcome badge={<Badge tone="doubt">! Too {isFuture ? 'new' : 'old'}</Badge>}>
      Secret and body are right; only the time is not. The request was signed{' '}
      {formatAgo(new Date(at).toISOString())}.{' '}
      {isFuture
        ? 'The clock of this server was ahead when it signed: synchronise the clocks.'
        : 'If it arrived just now, the clock of your app or of this server is wrong: synchronise both. If it is an old request, this is expected: replay the delivery.'}
    </Outcome>
  );
}

/** Shows the body that was sent beside the one that arrived, with the change marked. */
function Changed({ request, pointer }: { request: PastedRequest; pointer: string }): ReactNode {
  const { testId } = (parsedJson(request.body) ?? {}) as { testId?: unknown };
  const id = typeof testId === 'string' ? testId : '';
  const deliveries = useApi(
    '/v0/webhook/deliveries',
    { query: { testId: [id], limit: 1 } },
    { enabled: id !== '' },
  );
  const deliveryId = deliveries.data?.data[0]?.id;
  const delivery = useApi(
    '/v0/webhook/deliveries/{id}',
    { path: { id: deliveryId ?? '' } },
    { enabled: deliveryId !== undefined },
  );
  const sentBody = delivery.data?.data.request.body;
  return (
    <div className="grid justify-items-start gap-2">
      <Badge tone="fail">✕ The body was changed</Badge>
      <p className="text-reading">
        The first difference is at{' '}
        <code className="font-mono text-label">{pointer === '' ? '/' : pointer}</code>. Something between this
        service and your check changes it: verify the bytes of the request before they are parsed, and look
        for proxies or middleware that rewrite JSON.
      </p>
      {sentBody !== undefined && (
        <Difference sent={valueAt(sentBody, pointer)} arrived={valueAt(request.body, pointer)} />
      )}
    </div>
  );
}

const ABSENT = '(absent)';

function Difference({
  sent = ABSENT,
  arrived = ABSENT,
}: {
  sent: string | undefined;
  arrived: string | undefined;
}): ReactNode {
  const part = changedPart(sent, arrived);
  return (
    <dl
      aria-label="Changed place"
      className="grid grid-cols-[64px_minmax(0,1fr)] gap-y-1 rounded-md border border-line px-3 py-2 font-mono text-label"
    >
      <dt className="text-dim">sent</dt>
      <dd className="break-all whitespace-pre-wrap">
        {part.before}
        <mark className="bg-pass-soft font-semibold text-pass">{part.sent}</mark>
        {part.after}
      </dd>
      <dt className="text-dim">arrived</dt>
      <dd className="break-all whitespace-pre-wrap">
        {part.before}
        <mark className="bg-fail-soft font-semibold text-fail">{part.arrived}</mark>
        {part.after}
      </dd>
    </dl>
  );
}
