import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Issue, ResolveIssueBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { problemOf, TextArea } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';

const MAX_REASON = 2_048;

interface StateDialogProps {
  issue: Pick<Issue, 'number'>;
  onClose: () => void;
}

interface ReasonDialogProps {
  title: string;
  action: string;
  isDanger?: boolean;
  isRequired: boolean;
  placeholder: string;
  change: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>;
  /** Says that it was done. */
  done: string;
  onClose: () => void;
  children: ReactNode;
}

/** Takes the reason of a change, which stays in the activity of the issue. */
function ReasonDialog(props: ReasonDialogProps): ReactNode {
  const { title, action, isDanger = false, isRequired, placeholder, change, done, onClose, children } = props;
  const [reason, setReason] = useState('');
  return (
    <AskDialog
      title={title}
      action={action}
      isDanger={isDanger}
      isBusy={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate(reason.trim(), {
          onSuccess: () => {
            announce(done);
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p className="text-dim">{children}</p>
      <TextArea
        label="Reason"
        help={isRequired ? undefined : 'Optional.'}
        problem={problemOf(change.error, 'reason')}
        required={isRequired}
        rows={3}
        maxLength={MAX_REASON}
        placeholder={placeholder}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </AskDialog>
  );
}

const ISSUES = ['/v0/issues'] as const;

interface ResolveDialogProps extends StateDialogProps {
  /** False to resolve it although evidence is missing. */
  isProven: boolean;
}

/** Resolves an issue: with all evidence, or with a reason that stays marked. */
export function ResolveDialog({ issue: { number }, isProven, onClose }: ResolveDialogProps): ReactNode {
  const resolve = useAction(ISSUES, (api, reason: string) => {
    const body: ResolveIssueBody = { reason: reason === '' ? null : reason, withoutEvidence: !isProven };
    return api.POST('/v0/issues/{id}/resolve', { params: { path: { id: String(number) } }, body });
  });
  return (
    <ReasonDialog
      title={isProven ? 'Resolve the issue' : 'Resolve without evidence'}
      action={isProven ? 'Resolve' : 'Resolve without evidence'}
      isRequired={!isProven}
      placeholder={isProven ? 'Fixed in v16.' : 'The feature was removed.'}
      change={resolve}
      done={`Issue #${number} resolved`}
      onClose={onClose}
    >
      {isProven
        ? 'All evidence is there. It is kept with the issue as it is now.'
        : 'Evidence is missing, so that the problem may still occur. The issue stays marked as resolved without evidence, with your name and the reason.'}
    </ReasonDialog>
  );
}

/** Rejects an issue: it is no problem, or will not be solved. */
export function RejectDialog({ issue: { number }, onClose }: StateDialogProps): ReactNode {
  const reject = useAction(ISSUES, (api, reason: string) =>
    api.POST('/v0/issues/{id}/reject', { params: { path: { id: String(number) } }, body: { reason } }),
  );
  return (
    <ReasonDialog
      title="Reject the issue"
      action="Reject"
      isDanger
      isRequired
      placeholder="The policy allows it."
      change={reject}
      done={`Issue #${number} rejected`}
      onClose={onClose}
    >
      It leaves the list of open issues and keeps its traces. It can be opened again.
    </ReasonDialog>
  );
}

/** Opens an issue again. */
export function ReopenDialog({ issue: { number }, onClose }: StateDialogProps): ReactNode {
  const reopen = useAction(ISSUES, (api, reason: string) =>
    api.POST('/v0/issues/{id}/reopen', {
      params: { path: { id: String(number) } },
      body: { reason: reason === '' ? null : reason },
    }),
  );
  return (
    <ReasonDialog
      title="Reopen the issue"
      action="Reopen"
      isRequired={false}
      placeholder="It is back since v17."
      change={reopen}
      done={`Issue #${number} is open again`}
      onClose={onClose}
    >
      Its activity keeps how it was closed before.
    </ReasonDialog>
  );
}
