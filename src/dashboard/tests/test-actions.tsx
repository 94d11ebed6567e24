import { type ReactNode, useState } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { type Shortcut, useShortcuts } from '../app/shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { CancelDialog, JudgeDialog, ReplayDialog, RunAgainDialog } from './action-dialogs.tsx';
import { useAttempts } from './use-attempts.ts';
import { hasEnded } from './words.ts';

type Action = 'again' | 'replay' | 'cancel' | 'judge';

/** Buttons for everything that can be done with a test in its state. */
export function TestActions({ test }: { test: Test }): ReactNode {
  const mayWrite = useScope('write');
  const attempts = useAttempts(test);
  const [asked, setAsked] = useState<Action | null>(null);
  const lastDelivery = attempts.data?.data.at(-1);
  const canReplay = test.status === 'FAILED' && lastDelivery !== undefined;
  const canJudge = test.status === 'COMPLETED' || test.failure?.code === 'evaluation_error';
  useShortcuts(
    mayWrite ? shortcutsOf({ canReplay, canJudge, canCancel: !hasEnded(test), ask: setAsked }) : [],
  );
  if (!mayWrite) return <span className="text-label text-dim">Your role only lets you look.</span>;
  const close = (): void => setAsked(null);
  return (
    <>
      {!hasEnded(test) && (
        <Button look="danger" onClick={() => setAsked('cancel')}>
          Cancel test
        </Button>
      )}
      {canJudge && <Button onClick={() => setAsked('judge')}>Judge again</Button>}
      {canReplay && (
        <Button keys="r" onClick={() => setAsked('replay')}>
          Replay
        </Button>
      )}
      <Button look="primary" keys="Shift R" onClick={() => setAsked('again')}>
        Run again
      </Button>
      {asked === 'again' && <RunAgainDialog test={test} onClose={close} />}
      {asked === 'replay' && lastDelivery && (
        <ReplayDialog test={test} deliveryId={lastDelivery.id} onClose={close} />
      )}
      {asked === 'cancel' && <CancelDialog test={test} onClose={close} />}
      {asked === 'judge' && <JudgeDialog test={test} onClose={close} />}
    </>
  );
}

interface Possible {
  canReplay: boolean;
  canJudge: boolean;
  canCancel: boolean;
  ask: (action: Action) => void;
}

function shortcutsOf({ canReplay, canJudge, canCancel, ask }: Possible): Shortcut[] {
  const group = 'This page';
  return [
    { keys: 'Shift R', label: 'Run again', group, run: () => ask('again') },
    ...(canReplay ? [{ keys: 'r', label: 'Replay', group, run: () => ask('replay') }] : []),
    ...(canJudge ? [{ keys: 'Shift J', label: 'Judge again', group, run: () => ask('judge') }] : []),
    ...(canCancel ? [{ keys: 'Shift C', label: 'Cancel the test', group, run: () => ask('cancel') }] : []),
  ];
}
