import type { ReactNode } from 'react';
import { useScope } from '../api/session.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { Button } from './button.tsx';

interface WriteAction {
  title: string;
  /** Key that does the same. */
  keys?: string;
  run: () => void;
}

/** Returns the buttons of actions that need the scope `write`, the last one as the main one; false without the scope. */
export function useWriteButtons(actions: readonly WriteAction[]): ReactNode {
  const mayWrite = useScope('write');
  useShortcuts(
    actions.flatMap(({ title, keys, run }) =>
      mayWrite && keys !== undefined ? [{ keys, label: title, group: 'This page', run }] : [],
    ),
  );
  return (
    mayWrite && (
      <>
        {actions.map(({ title, keys, run }) => (
          <Button
            key={title}
            look={title === actions.at(-1)?.title ? 'primary' : 'plain'}
            onClick={run}
            {...(keys !== undefined && { keys })}
          >
            {title}
          </Button>
        ))}
      </>
    )
  );
}
