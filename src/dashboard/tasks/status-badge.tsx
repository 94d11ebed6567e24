import type { ReactNode } from 'react';
import { Badge } from '../ui/badge.tsx';
import { TASK_STATUS_NAMES, type TaskStatus } from './words.ts';

/** Shows whether a task or a topic is in use. */
export function StatusBadge({ status }: { status: TaskStatus }): ReactNode {
  if (status === 'ACTIVE') return <Badge tone="pass">✓ {TASK_STATUS_NAMES[status]}</Badge>;
  return (
    <Badge>
      {status === 'DRAFT' ? '○' : '–'} {TASK_STATUS_NAMES[status]}
    </Badge>
  );
}
