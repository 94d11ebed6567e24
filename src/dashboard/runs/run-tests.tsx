import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { TestList } from '../tests/test-table.tsx';
import { hasEnded, TEST_STATUS_NAMES, type Status } from '../tests/words.ts';
import { Choice } from '../ui/choice.tsx';

const LIVE_MS = 2_000;
export const TESTS_STATE = { status: '', sort: '-createdAt', skip: '0' };

interface RunTestsProps {
  run: Run;
  state: typeof TESTS_STATE;
  onChange: (patch: Partial<typeof TESTS_STATE>) => void;
}

/** Lists the tests of a run. */
export function RunTests({ run, state, onChange }: RunTestsProps): ReactNode {
  const { status } = state;
  const query = {
    runId: [run.id],
    ...(status !== '' && { status: [status as Status] }),
    ...pageOf<'createdAt'>(state),
  };
  const tests = useApi(
    '/v0/tests',
    { query },
    { refresh: (answer) => !(answer?.data ?? []).every(hasEnded) && LIVE_MS, keepsRows: true },
  );
  return (
    <section aria-label="Tests of the run">
      <div className="flex items-center gap-3 px-4 pb-1">
        <h2 className="text-label font-semibold tracking-wide text-dim uppercase">Tests</h2>
        <Choice
          label="State"
          value={status}
          choices={Object.entries(TEST_STATUS_NAMES)}
          onChoose={(next) => onChange({ status: next, skip: '0' })}
        />
      </div>
      <TestList
        of={tests}
        state={state}
        onChange={onChange}
        onClear={status === '' ? undefined : () => onChange({ status: '', skip: '0' })}
        empty={<p className="px-4 py-3 text-dim">The run has no tests.</p>}
        isOfRun
      />
    </section>
  );
}
