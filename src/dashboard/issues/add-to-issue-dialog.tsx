import { type ReactNode, useRef, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { CreateIssueBody, LinkIssueBody } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { doneText } from '../selection/chosen.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { announce } from '../ui/status-line.tsx';
import { type ChosenIssue, IssueChoice } from './issue-choice.tsx';

interface AddToIssueDialogProps {
  /** Traces or notes to add. */
  links: LinkIssueBody;
  /** Number of rows that the page shows as selected. */
  count: number;
  /** Place where the problem of a new issue was noticed. */
  source: CreateIssueBody['source'];
  /** Title that a new issue may have. */
  suggestedTitle?: string;
  /** True if the page stays open when a new issue is created. */
  staysHere?: boolean;
  onClose: () => void;
  onDone?: () => void;
}

/** Adds traces or notes to an issue that is chosen or created here. */
export function AddToIssueDialog({
  links,
  count,
  source,
  suggestedTitle,
  staysHere = false,
  onClose,
  onDone,
}: AddToIssueDialogProps): ReactNode {
  const mayWrite = useScope('write');
  const open = useOpen();
  const [chosen, setChosen] = useState<ChosenIssue | null>(null);
  // An issue that was created stays when the links failed, and gets them by the next attempt.
  const created = useRef<{ number: number; title: string } | null>(null);
  const numberOf = (issue: ChosenIssue): number =>
    'number' in issue ? issue.number : (created.current?.number ?? 0);
  const add = useAction(['/v0/issues', '/v0/notes'], async (api, issue: ChosenIssue) => {
    if ('title' in issue && created.current?.title !== issue.title) {
      const { title } = issue;
      const made = await answerOf(api.POST('/v0/issues', { body: { source, title } }));
      created.current = { number: made.data.number, title };
    }
    const path = { id: String(numberOf(issue)) };
    return api.POST('/v0/issues/{id}/links', { params: { path }, body: links });
  });
  return (
    <AskDialog
      title="Add to issue"
      action={chosen !== null && 'title' in chosen ? 'Create and add' : 'Add'}
      isBusy={add.isPending || chosen === null}
      error={add.error}
      onConfirm={() =>
        chosen !== null &&
        add.mutate(chosen, {
          onSuccess: ({ data }) => {
            const number = numberOf(chosen);
            announce(doneText(data, { did: `added to issue #${number}`, shown: count }));
            onClose();
            onDone?.();
            if ('title' in chosen && !staysHere) open(`/issues/${number}`);
          },
        })
      }
      onClose={onClose}
    >
      <IssueChoice
        value={chosen}
        onChange={setChosen}
        offersNew={mayWrite}
        {...(suggestedTitle !== undefined && { suggestedTitle })}
      />
      <p className="text-dim">
        Traces that are chosen by hand are counted, and give no rate. Those that are linked already stay as
        they are.
      </p>
    </AskDialog>
  );
}
