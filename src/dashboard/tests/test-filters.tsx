import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Choice, choicesOf, withChosen } from '../ui/choice.tsx';
import { FILTERS, type Filters, hasFilter, PERIODS } from './test-query.ts';
import { useTaskTitles } from './use-task-titles.ts';
import { PHASE_NAMES, RUN_TYPE_NAMES, TEST_STATUS_NAMES } from './words.ts';

interface TestFiltersProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
}

const PERIOD_CHOICES = Object.entries(PERIODS).map(([value, { name }]) => [value, name] as const);

export function TestFilters({ filters, onChange }: TestFiltersProps): ReactNode {
  const { run } = filters;
  const choice = choicesOf(filters, onChange);
  return (
    <>
      <Choice label="State" choices={Object.entries(TEST_STATUS_NAMES)} {...choice('status')} />
      <Choice label="Phase" choices={Object.entries(PHASE_NAMES)} {...choice('phase')} />
      <RunChoices filters={filters} onChange={onChange} />
      {run !== '' && (
        <Button onClick={() => onChange({ run: '' })}>
          run {run.slice(0, 8)} <span aria-hidden="true">×</span>
          <span className="sr-only">Remove</span>
        </Button>
      )}
      {hasFilter(filters) && (
        <Button look="quiet" onClick={() => onChange(FILTERS)}>
          Clear
        </Button>
      )}
    </>
  );
}

interface RunChoicesProps {
  filters: Pick<Filters, 'task' | 'type' | 'last'>;
  onChange: (patch: Partial<RunChoicesProps['filters']>) => void;
}

/** Choices that runs and their tests share. */
export function RunChoices({ filters, onChange }: RunChoicesProps): ReactNode {
  const titles = useTaskTitles();
  const choice = choicesOf(filters, onChange);
  return (
    <>
      <Choice label="Task" choices={withChosen([...titles], filters.task)} {...choice('task')} />
      <Choice label="Run type" choices={Object.entries(RUN_TYPE_NAMES)} {...choice('type')} />
      <Choice label="Started" choices={PERIOD_CHOICES} {...choice('last')} />
    </>
  );
}
