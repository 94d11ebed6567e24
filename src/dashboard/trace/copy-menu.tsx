import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import type { SpanDetail } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/code-block.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { announce } from '../ui/status-line.tsx';
import { modelCallAsCurl } from './model-call-as-curl.ts';

interface CopyMenuProps {
  traceId: string;
  spanId: string;
}

/** Copies the span or the trace as JSON, and a model call as a command. */
export function CopyMenu({ traceId, spanId }: CopyMenuProps): ReactNode {
  const { client } = useSession();
  const path = { id: traceId };
  const readSpan = async (): Promise<SpanDetail> => {
    const params = { path: { ...path, spanId } };
    return (await answerOf(client.GET('/v0/traces/{id}/spans/{spanId}', { params }))).data;
  };
  const readOtlp = async (): Promise<string> => {
    const query = { id: [traceId], format: 'otlp-jsonl' as const };
    const call = client.GET('/v0/traces/export', { params: { query }, parseAs: 'text' });
    return answerOf(call);
  };
  const copy = async (what: string, read: () => Promise<string>): Promise<void> => {
    try {
      await copyText(await read(), what);
    } catch (error) {
      announce(`${what} was not copied: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <Menu
      trigger={
        <Button>
          <Copy size={13} aria-hidden="true" />
          Copy
        </Button>
      }
    >
      <MenuItem onChoose={() => void copy('Span', async () => json(await readSpan()))}>Span as JSON</MenuItem>
      <MenuItem
        onChoose={() =>
          void copy('Trace', async () =>
            json((await answerOf(client.GET('/v0/traces/{id}', { params: { path } }))).data),
          )
        }
      >
        Trace as JSON
      </MenuItem>
      <MenuItem onChoose={() => void copy('Trace', readOtlp)}>Trace as OTLP</MenuItem>
      <MenuItem onChoose={() => void copy('Command', async () => modelCallAsCurl(await readSpan()))}>
        Model call as curl
      </MenuItem>
    </Menu>
  );
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
