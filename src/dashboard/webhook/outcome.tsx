import type { ReactNode } from 'react';
import type { ListedDelivery } from '../../api/generated/schema.ts';
import { Badge } from '../ui/badge.tsx';

type Outcome = NonNullable<ListedDelivery['outcome']>;

export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  answered: 'Response',
  not_sent: 'Not sent',
  timeout: 'Timed out',
  lost: 'Broke off',
  cancelled: 'Cancelled',
  unknown: 'Unknown',
};

/** Shows how a delivery ended. */
export function DeliveryOutcome({
  delivery,
}: {
  delivery: Pick<ListedDelivery, 'outcome' | 'statusCode' | 'message'>;
}): ReactNode {
  const { outcome, statusCode, message } = delivery;
  if (outcome === null) return <Badge tone="accent">… In progress</Badge>;
  if (outcome === 'answered' && statusCode === 200) return <Badge tone="pass">✓ 200</Badge>;
  const text = outcome === 'answered' ? String(statusCode) : OUTCOME_NAMES[outcome];
  return (
    <Badge tone={outcome === 'cancelled' ? 'plain' : 'fail'} title={message ?? ''}>
      ✕ {text}
    </Badge>
  );
}
