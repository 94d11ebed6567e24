import { type ReactNode, useState } from 'react';
import { useScope } from '../api/session.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { MakeExampleDialog } from './make-example-dialog.tsx';

/** Button that makes an example of a trace, for those who may. */
export function MakeExample({ traceId }: { traceId: string }): ReactNode {
  const mayWrite = useScope('write');
  const [isOpen, setOpen] = useState(false);
  const ask = (): void => setOpen(true);
  useShortcuts(mayWrite ? [{ keys: 'x', label: 'Make an example', group: 'This trace', run: ask }] : []);
  if (!mayWrite) return null;
  return (
    <>
      <Button onClick={ask}>Make an example</Button>
      {isOpen && <MakeExampleDialog traceId={traceId} onClose={() => setOpen(false)} />}
    </>
  );
}
