import type { Quickstart } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { inTurn } from './in-turn.ts';
import { movesTo, type StepId } from './steps.ts';

type Status = Quickstart['status'];

export interface Move {
  /** Opens a step, and notes on the server that the ones before were left. */
  to: (step: StepId) => void;
  isPending: boolean;
  error: unknown;
}

/** Returns the way to the other steps of a quickstart. */
export function useMove({ id, status }: Quickstart, isReadOnly: boolean): Move {
  const open = useOpen();
  const move = useAction(['/v0/quickstarts'], (api, statuses: [Status, ...Status[]]) =>
    inTurn(statuses, (next) =>
      api.PUT('/v0/quickstarts/{id}', { params: { path: { id } }, body: { status: next } }),
    ),
  );
  const to = (step: StepId): void => {
    const [first, ...others] = isReadOnly || step === 'upload' ? [] : movesTo(status, step);
    const go = (): void => open(`/quickstarts/${id}/${step}`);
    if (first === undefined) go();
    else move.mutate([first, ...others], { onSuccess: go });
  };
  return { to, isPending: move.isPending, error: move.error };
}
