import type { ReactNode } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { ISSUE_STATUS_NAMES } from './words.ts';

const SIGNS: Readonly<Record<Issue['priority'], readonly [sign: string, colour: string]>> = {
  HIGH: ['▲', 'text-fail'],
  MEDIUM: ['■', 'text-doubt'],
  LOW: ['▽', 'text-dim'],
};

/** Sign of a priority; its name stands beside it. */
export function PrioritySign({ priority }: Pick<Issue, 'priority'>): ReactNode {
  const [sign, colour] = SIGNS[priority];
  return (
    <span aria-hidden="true" className={colour}>
      {sign}
    </span>
  );
}

const TONES: Readonly<Record<Issue['status'], Tone>> = {
  OPEN: 'doubt',
  RESOLVED: 'plain',
  REJECTED: 'plain',
};

/** Shows the state of an issue, and what stays marked about it. */
export const IssueStateBadges = ({
  issue: { status, resolution, mergedInto, reopenedAt },
}: {
  issue: Pick<Issue, 'status' | 'resolution' | 'mergedInto' | 'reopenedAt'>;
}): ReactNode => (
  <>
    <Badge tone={TONES[status]}>{mergedInto === null ? ISSUE_STATUS_NAMES[status] : 'Merged'}</Badge>
    {resolution?.withoutEvidence === true && (
      <Badge tone="doubt" title="Evidence was missing when it was resolved">
        ? without evidence
      </Badge>
    )}
    {status === 'OPEN' && reopenedAt !== null && <Badge tone="doubt">Reopened</Badge>}
  </>
);
