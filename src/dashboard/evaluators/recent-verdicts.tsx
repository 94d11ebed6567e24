import type { ReactNode } from 'react';
import type { ListedEval } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { VerdictBadge } from '../tests/verdict-badge.tsx';
import { DASH, momentColumn } from '../ui/cells.tsx';
import { Choice } from '../ui/choice.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { RecordList, Total } from '../ui/record-list.tsx';

const DEFAULTS = { passed: '', sort: '-createdAt', skip: '0' };

/** Lists the verdicts of an evaluator, newest first; a row opens one. */
export function RecentVerdicts({ definitionId }: { definitionId: string }): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const query = {
    ...pageOf<'createdAt'>(state),
    evalDefinitionId: [definitionId],
    ...(state.passed !== '' && { passed: state.passed === 'yes' }),
  };
  const list = useApi('/v0/evals', { query }, { keepsRows: true });
  return (
    <>
      <div className="flex items-center gap-3 px-4 pb-2">
        <h2 className="text-label font-semibold tracking-wide text-dim uppercase">Verdicts</h2>
        <Choice
          label="Verdict"
          value={state.passed}
          choices={[
            ['yes', 'passed'],
            ['no', 'failed'],
          ]}
          onChoose={(passed) => change({ passed, skip: '0' })}
        />
        <Total of={list} what="verdict" />
      </div>
      <RecordList
        of={list}
        label="Verdicts"
        what="verdict"
        columns={COLUMNS}
        href={({ id }) => `/evals/${id}`}
        state={state}
        onChange={change}
        onClear={state.passed === '' ? undefined : () => change({ passed: '', skip: '0' })}
        empty={
          <p className="px-4 pb-6 text-dim">
            Nothing was judged by it yet. It judges tests of the tasks, and of the topics, that it is linked
            to, once they run.
          </p>
        }
      />
    </>
  );
}

const COLUMNS: readonly TableColumn<ListedEval>[] = [
  momentColumn('createdAt', 'Time', { isSortable: true }),
  {
    id: 'verdict',
    title: 'Verdict',
    width: 'w-[120px]',
    cell: (verdict) => <VerdictBadge verdict={verdict} />,
  },
  {
    id: 'score',
    title: 'Score',
    width: 'w-[64px]',
    align: 'right',
    cell: ({ score }) => (score === null ? DASH : Number(score.toFixed(3))),
  },
  { id: 'reason', title: 'Reason', cell: ({ reason }) => reason ?? DASH },
  {
    id: 'of',
    title: 'Judged',
    width: 'w-[96px]',
    cell: ({ testId }) => (testId === null ? 'live trace' : 'test'),
  },
  {
    id: 'version',
    title: 'Version',
    width: 'w-[72px]',
    align: 'right',
    cell: ({ definitionVersion }) => definitionVersion,
  },
];
