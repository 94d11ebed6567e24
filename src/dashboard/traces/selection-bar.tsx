import { type ReactNode, useState } from 'react';
import { useScope } from '../api/session.ts';
import { useOpen } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { AddToIssueDialog } from '../issues/add-to-issue-dialog.tsx';
import { useMayAnnotate } from '../issues/use-may-annotate.ts';
import { MAX_MATCHING, type SelectedRows } from '../selection/chosen.ts';
import { ExamplesDialog } from '../selection/examples-dialog.tsx';
import { ReviewDialog } from '../selection/review-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { SelectedBar } from '../ui/selected-bar.tsx';

interface SelectionBarProps {
  selected: ReadonlySet<string>;
  /** Filter line of the list, and the number of traces that match; null if it is only known to be large. */
  line: string;
  total: number | null;
  /** True if all that match are selected. */
  isAll: boolean;
  onSelectAll: () => void;
  onClear: () => void;
}

/** Says how many traces are selected, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps): ReactNode {
  const { selected, line, total, isAll, onSelectAll, onClear } = props;
  const canWrite = useScope('write');
  const mayLink = useMayAnnotate();
  const [asked, setAsked] = useState<'review' | 'examples' | 'issue' | null>(null);
  const open = useOpen();
  const ids = [...selected];
  const [a, b] = ids;
  const selection: SelectedRows = isAll ? { traces: { q: line } } : { ids };
  const isTooMany = total === null || total > MAX_MATCHING;
  const dialog = {
    selection,
    count: isAll ? (total ?? ids.length) : ids.length,
    onClose: () => setAsked(null),
    onDone: onClear,
  };
  return (
    <SelectedBar
      ids={ids}
      onClear={onClear}
      {...(isAll && total !== null && { text: `All ${formatWhole(total)} that match` })}
    >
      {!isAll && (total === null || total > ids.length) && (
        <Button
          look="quiet"
          disabled={isTooMany}
          title={isTooMany ? `More than ${formatWhole(MAX_MATCHING)}: narrow the filter` : undefined}
          onClick={onSelectAll}
        >
          Select all {total === null ? '' : `${formatWhole(total)} `}that match
        </Button>
      )}
      {!isAll && ids.length === 2 && <Button onClick={() => open(`/compare?a=${a}&b=${b}`)}>Compare</Button>}
      {canWrite && <Button onClick={() => setAsked('review')}>Review</Button>}
      {mayLink && <Button onClick={() => setAsked('issue')}>Add to issue</Button>}
      {canWrite && <Button onClick={() => setAsked('examples')}>Create examples</Button>}
      {asked === 'review' && <ReviewDialog {...dialog} />}
      {asked === 'issue' && <AddToIssueDialog {...dialog} links={{ selection }} source="MONITORING" />}
      {asked === 'examples' && <ExamplesDialog {...dialog} />}
    </SelectedBar>
  );
}
