import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { saveBlob } from '../ui/save-blob.ts';
import { announce } from '../ui/status-line.tsx';

/** Downloads the signed evidence of the recorded decision. */
export function EvidenceButton({ runSetId }: { runSetId: string }): ReactNode {
  const { client } = useSession();
  const download = useMutation({
    mutationFn: async () => {
      announce('Evidence is being prepared');
      const params = { path: { id: runSetId } };
      const answer = client.GET('/v0/run-sets/{id}/evidence', { params, parseAs: 'blob' });
      saveBlob(await answerOf<Blob>(answer), `evidence-${runSetId}.jsonl`);
    },
    onSuccess: () => announce('Evidence is complete'),
  });
  return (
    <>
      <Button disabled={download.isPending} onClick={() => download.mutate()}>
        <Download size={13} aria-hidden="true" />
        {download.isPending ? 'Preparing …' : 'Evidence'}
      </Button>
      <ErrorLine error={download.error} />
    </>
  );
}
