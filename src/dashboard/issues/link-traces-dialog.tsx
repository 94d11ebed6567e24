import { type ReactNode, useState } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { formatWhole } from '../format/number.ts';
import { doneText, MAX_MATCHING, type SelectedRows } from '../selection/chosen.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { TextArea } from '../ui/field.tsx';
import { totalText } from '../ui/pager.tsx';
import { announce } from '../ui/status-line.tsx';
import { useDelayedText } from '../ui/use-delayed-text.ts';
import { namedTraces } from './named-traces.ts';

/** Milliseconds after the last letter at which the traces are counted. */
const WAIT_MS = 300;

interface LinkTracesDialogProps {
  issue: Pick<Issue, 'number' | 'match'>;
  onClose: () => void;
}

/** Links traces to an issue that are named by ids, by a test or by a filter line. It says first how many they are. */
export function LinkTracesDialog({ issue: { number, match }, onClose }: LinkTracesDialogProps): ReactNode {
  const [settled, setSettled] = useState(match ?? '');
  const [text, setText] = useDelayedText(settled, setSettled, WAIT_MS);
  const named = namedTraces(settled);
  const line = named?.traces?.q;
  const matching = useApi(
    '/v0/traces',
    { query: { q: line ?? '', limit: 1 } },
    { enabled: line !== undefined },
  );
  const link = useAction(['/v0/issues'], (api, selection: SelectedRows) =>
    api.POST('/v0/issues/{id}/links', { params: { path: { id: String(number) } }, body: { selection } }),
  );
  const found = line === undefined ? undefined : matching.data?.pagination;
  const count = named?.ids?.length ?? found?.total;
  const isTooMany = found !== undefined && (found.totalExceeded === true || found.total > MAX_MATCHING);
  const isReady = named !== null && text === settled && count !== undefined && count > 0 && !isTooMany;
  return (
    <AskDialog
      title="Link traces"
      action={isReady ? `Link ${formatWhole(count)}` : 'Link'}
      isWide
      isBusy={link.isPending || !isReady}
      error={link.error}
      onConfirm={() =>
        isReady &&
        link.mutate(named, {
          onSuccess: ({ data }) => {
            announce(doneText(data, { did: `linked to issue #${number}`, shown: count }));
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <TextArea
        label="Traces"
        help="Ids or links of traces, the link of a test, or a filter line as in Traces, such as verdict:fail topic:Refunds last:7d."
        rows={3}
        maxLength={40_000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <ErrorLine error={line === undefined ? null : matching.error} />
      <p role="status" className="text-dim">
        {found !== undefined &&
          `${totalText(found)} ${found.total === 1 ? 'trace matches' : 'traces match'}${isTooMany ? `: at most ${formatWhole(MAX_MATCHING)} can be linked at once` : ''}.`}
      </p>
    </AskDialog>
  );
}
