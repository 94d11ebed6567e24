import type { ReactNode } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { READ_ONLY } from '../ui/save-bar.tsx';
import { announce } from '../ui/status-line.tsx';
import { LinkTracesDialog } from './link-traces-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { RejectDialog, ReopenDialog, ResolveDialog } from './state-dialogs.tsx';
import { useMayAnnotate } from './use-may-annotate.ts';
import { PRIORITY_NAMES } from './words.ts';

/** Dialog of an issue that is open. */
export type IssueAsked = 'resolve' | 'unproven' | 'reject' | 'reopen' | 'merge' | 'link';

interface IssueActionsProps {
  issue: Issue;
  asked: IssueAsked | null;
  onAsk: (asked: IssueAsked | null) => void;
}

const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'] as const;

/** Buttons that change the state of an issue, with the dialog that one of them has opened. */
export function IssueActions({ issue, asked, onAsk }: IssueActionsProps): ReactNode {
  const mayWrite = useScope('write');
  const mayAnnotate = useMayAnnotate();
  const isOpen = issue.status === 'OPEN';
  const isMerged = issue.mergedInto !== null;
  const evidence = useApi(
    '/v0/issues/{id}/evidence',
    { path: { id: String(issue.number) } },
    { enabled: isOpen },
  );
  const missing = evidence.data?.data.filter(({ isMet }) => !isMet).length;
  const close = (): void => onAsk(null);
  const ask = (keys: string, label: string, name: IssueAsked, applies: boolean) =>
    applies ? [{ keys, label, group: 'This issue', run: () => onAsk(name) }] : [];
  const prioritise = useAction(
    ['/v0/issues'],
    (api, priority: Issue['priority']) =>
      api.PUT('/v0/issues/{id}', { params: { path: { id: String(issue.number) } }, body: { priority } }),
    ({ data }) => announce(`Priority: ${PRIORITY_NAMES[data.priority]}`),
  );
  const next = PRIORITIES[(PRIORITIES.indexOf(issue.priority) + 1) % PRIORITIES.length] ?? 'MEDIUM';
  useShortcuts([
    ...(mayWrite
      ? [
          {
            keys: 'p',
            label: 'Next priority',
            group: 'This issue',
            run: () => {
              if (!prioritise.isPending) prioritise.mutate(next);
            },
          },
        ]
      : []),
    ...ask('l', 'Link traces', 'link', mayAnnotate && !isMerged),
    ...ask('m', 'Merge', 'merge', mayWrite && !isMerged),
    ...ask('r', 'Resolve', missing === 0 ? 'resolve' : 'unproven', mayWrite && isOpen),
  ]);
  return (
    <>
      {mayWrite ? (
        <>
          {!isMerged && <Button onClick={() => onAsk('merge')}>Merge …</Button>}
          {issue.status !== 'REJECTED' && <Button onClick={() => onAsk('reject')}>Reject …</Button>}
          {isOpen && (
            <Button
              look="primary"
              disabled={missing !== 0}
              title={missing === 0 ? undefined : 'Evidence is missing'}
              onClick={() => onAsk('resolve')}
            >
              Resolve …
            </Button>
          )}
          {!isOpen && !isMerged && (
            <Button look="primary" onClick={() => onAsk('reopen')}>
              Reopen …
            </Button>
          )}
        </>
      ) : (
        !mayAnnotate && <span className="text-label text-dim">{READ_ONLY}</span>
      )}
      {asked === 'resolve' && <ResolveDialog issue={issue} isProven onClose={close} />}
      {asked === 'unproven' && <ResolveDialog issue={issue} isProven={false} onClose={close} />}
      {asked === 'reject' && <RejectDialog issue={issue} onClose={close} />}
      {asked === 'reopen' && <ReopenDialog issue={issue} onClose={close} />}
      {asked === 'merge' && <MergeDialog issue={issue} onClose={close} />}
      {asked === 'link' && <LinkTracesDialog issue={issue} onClose={close} />}
    </>
  );
}
