import { type ReactNode, useState } from 'react';
import type { EvaluationDefinition } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { RateLine } from '../tasks/rate.tsx';
import { StatusBadge } from '../tasks/status-badge.tsx';
import { StatusChoice } from '../tasks/status-choice.tsx';
import { momentColumn } from '../ui/cells.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { ListPage } from '../ui/list-page.tsx';
import { Empty } from '../ui/states.tsx';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { GateBadge } from './gate-badge.tsx';
import { NewEvaluatorDialog } from './new-evaluator-dialog.tsx';
import { useVerdictRates, type VerdictRate } from './use-verdict-rates.ts';
import { evaluatorWords } from './words.ts';

const DEFAULTS = { status: '', sort: 'name', skip: '0' };
/** The list of the API shows active ones only. */
const USUAL: EvaluationDefinition['status'][] = ['DRAFT', 'ACTIVE'];

/** Lists what results are judged by. */
export function EvaluatorsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const [isCreating, setCreating] = useState(false);
  const query = {
    ...pageOf<'name'>(state),
    definitionStatus: state.status === '' ? USUAL : [state.status as EvaluationDefinition['status']],
  };
  const list = useApi('/v0/definitions', { query }, { keepsRows: true });
  const rates = useVerdictRates();
  const button = useWriteButtons([{ title: 'New evaluator', keys: 'n', run: () => setCreating(true) }]);
  return (
    <ListPage
      title="Evaluators"
      actions={button}
      filters={<StatusChoice value={state.status} onChoose={(status) => change({ status, skip: '0' })} />}
      of={list}
      what="evaluator"
      columns={columnsOf(rates)}
      href={({ id }) => `/evaluators/${id}`}
      state={state}
      onChange={change}
      onClear={state.status === '' ? undefined : () => change({ status: '', skip: '0' })}
      empty={
        <Empty title="No evaluators yet">
          <p>
            An evaluator says what a good answer is: a rule, such as “contains the order number”, or a
            question to a judge model. Completed tests are judged by every evaluator that applies to their
            task.
          </p>
          <div>{button}</div>
        </Empty>
      }
    >
      {isCreating && <NewEvaluatorDialog onClose={() => setCreating(false)} />}
    </ListPage>
  );
}

const columnsOf = (rates: ReadonlyMap<string, VerdictRate>): readonly TableColumn<EvaluationDefinition>[] => [
  {
    id: 'name',
    title: 'Evaluator',
    isSortable: true,
    cell: ({ name, type }) => (
      <span title={evaluatorWords(type).measures}>
        <span className="font-semibold">{name}</span>{' '}
        <span className="text-dim">{evaluatorWords(type).measures}</span>
      </span>
    ),
  },
  { id: 'type', title: 'Type', width: 'w-[128px]', isSortable: true, cell: ({ type }) => type },
  {
    id: 'status',
    title: 'Status',
    width: 'w-[92px]',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'decides',
    title: 'Effect',
    width: 'w-[112px]',
    cell: (definition) => <GateBadge definition={definition} />,
  },
  {
    id: 'verdicts',
    title: 'Verdicts',
    width: 'w-[72px]',
    align: 'right',
    cell: ({ id }) => formatWhole(rates.get(id)?.count ?? 0),
  },
  {
    id: 'passRate',
    title: 'Passed, 30 days',
    width: 'w-[18%]',
    cell: ({ id }) => <RateLine of={rates.get(id)} />,
  },
  momentColumn('modifiedAt', 'Changed', { isSortable: true }),
];
