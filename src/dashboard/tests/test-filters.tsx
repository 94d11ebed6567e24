import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Choice, withChosen } from '../ui/choice.tsx';
import { FILTERS, type Filters, hasFilter, PERIODS } from './test-query.ts';
import { useTaskTitles } from './use-task-titles.ts';
import { PHASE_NAMES, RUN_TYPE_NAMES, STATUS_NAMES } from './words.ts';

interface TestFiltersProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
}

const PERIOD_CHOICES = Object.entries(PERIODS).map(([value, { name }]) => [value, name] as const);

export function TestFilters({ filters, onChange }: TestFiltersProps): ReactNode {
  const { status, phase, run } = filters;
  return (
    <>
      <Choice
        label="State"
        value={status}
        choices={Object.entries(STATUS_NAMES)}
        onChoose={(next) => onChange({ status: next })}
      />
      <Choice
        label="Phase"
        value={phase}
        choices={Object.entries(PHASE_NAMES)}
        onChoose={(next) => onChange({ phase: next })}
      />
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
export function RunChoices({ filters: { task, type, last }, onChange }: RunChoicesProps): ReactNode {
  const titles = useTaskTitles();
  return (
    <>
      <Choice
        label="Task"
        value={task}
        choices={withChosen([...titles], task)}
        onChoose={(next) => onChange({ task: next })}
      />
      <Choice
        label="Run type"
        value={type}
        choices={Object.entries(RUN_TYPE_NAMES)}
        onChoose={(next) => onChange({ type: next })}
      />
      <Choice
        label="Started"
        value={last}
        choices={PERIOD_CHOICES}
        onChoose={(next) => onChange({ last: next })}
      />
    </>
  );
}
