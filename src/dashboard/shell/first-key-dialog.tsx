import { type ReactNode, useEffect, useState } from 'react';
import { createDashboardClient } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CommandText } from '../ui/states.tsx';
import { useChooseApplication } from './use-choose-application.ts';

interface FirstKeyDialogProps {
  application: { id: string; title: string };
  keyText: string;
  /** Variables of an exporter with the key. */
  lines: string;
  onClose: () => void;
}

/** Pause between two looks for the first trace, in milliseconds. */
const PAUSE_MS = 2_000;

/** Shows the first key of an application, which is not shown again, and when its first span has arrived. */
export function FirstKeyDialog({ application, keyText, lines, onClose }: FirstKeyDialogProps): ReactNode {
  const hasTrace = useFirstTrace(application.id);
  const choose = useChooseApplication();
  const openIt = (): void => {
    onClose();
    choose(application.id);
  };
  return (
    <Dialog isOpen onClose={onClose} title={`“${application.title}” was created`}>
      <div className="grid gap-3 overflow-y-auto p-4">
        <p>Its first key is shown now, and never again:</p>
        <CommandText label="First key" text={keyText} />
        <p>These variables are all that an OpenTelemetry exporter needs:</p>
        <CommandText label="Variables of the exporter" text={lines} />
        <p role="status" className={hasTrace ? 'text-pass' : 'text-dim'}>
          {hasTrace ? '✓ The first span has arrived.' : 'Waiting for the first span …'}
        </p>
        <p className="text-dim">Add members in Settings of the new application.</p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" onClick={openIt}>
            Open the application
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Reports whether an application has a trace; looks until it has. */
function useFirstTrace(applicationId: string): boolean {
  const [hasTrace, setHasTrace] = useState(false);
  useEffect(() => {
    if (hasTrace) return undefined;
    const client = createDashboardClient(applicationId);
    const look = async (): Promise<void> => {
      const { data } = await client.GET('/v0/traces', { params: { query: { limit: 1 } } });
      if ((data?.data.length ?? 0) > 0) setHasTrace(true);
    };
    const timer = setInterval(() => void look().catch(() => undefined), PAUSE_MS);
    return () => clearInterval(timer);
  }, [applicationId, hasTrace]);
  return hasTrace;
}
