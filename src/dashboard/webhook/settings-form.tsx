import { type ReactNode, useState } from 'react';
import type { SaveWebhookBody, Webhook } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';

interface SettingsFormProps {
  webhook: Webhook | null;
  isReadOnly: boolean;
}

const DEFAULT_TIMEOUT_S = 120;

/** Shows and changes where tests are sent. */
export function SettingsForm({ webhook, isReadOnly }: SettingsFormProps): ReactNode {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [seconds, setSeconds] = useState(String((webhook?.timeoutMs ?? DEFAULT_TIMEOUT_S * 1000) / 1000));
  const [isEnabled, setEnabled] = useState(webhook?.enabled ?? true);
  const [headers, setHeaders] = useState<string | null>(webhook === null ? '' : null);
  const [secret, setSecret] = useState<string | null>(null);
  const save = useAction(['webhook'], (api, body: SaveWebhookBody) => api.POST('/v0/webhook', { body }));
  const given = headers === null ? undefined : parseHeaders(headers);
  const submit = (): void => {
    if (given === null) return;
    const body = { url, timeoutMs: Math.round(Number(seconds) * 1000), enabled: isEnabled };
    save.mutate(given === undefined ? body : { ...body, headers: given }, {
      onSuccess: ({ data }) => {
        announce('Saved');
        setSecret(data.webhookSecret ?? null);
        setHeaders(null);
      },
    });
  };
  const names = Object.keys(webhook?.headers ?? {});
  return (
    <>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label="URL"
          type="url"
          required
          disabled={isReadOnly}
          placeholder="https://app.example.com/touchstone"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          problem={problemOf(save.error, 'url')}
        />
        <TextField
          label="Time limit, in seconds"
          help="Your app must respond within this time."
          type="number"
          min={1}
          max={900}
          step="any"
          required
          disabled={isReadOnly}
          value={seconds}
          onChange={(event) => setSeconds(event.target.value)}
          problem={problemOf(save.error, 'timeoutMs')}
        />
        {headers === null ? (
          <div className="flex items-center gap-2">
            <span className="text-label font-semibold">Headers</span>
            <span className="text-dim">
              {names.length === 0 ? 'none' : names.map((name) => `${name}: ***`).join(', ')}
            </span>
            {!isReadOnly && (
              <Button onClick={() => setHeaders(names.map((name) => `${name}: `).join('\n'))}>Replace</Button>
            )}
          </div>
        ) : (
          <TextArea
            label="Headers"
            help="One per line, such as “authorization: Bearer …”. Their values are never shown again."
            rows={3}
            disabled={isReadOnly}
            value={headers}
            onChange={(event) => setHeaders(event.target.value)}
            problem={
              given === null
                ? 'Each line must have a name, a colon and a value.'
                : problemOf(save.error, 'headers')
            }
          />
        )}
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={isEnabled}
            disabled={isReadOnly}
            onChange={(event) => setEnabled(event.target.checked)}
          />
          Send tests to this address
        </label>
        <ErrorLine error={save.error} />
        {!isReadOnly && (
          <div>
            <Button type="submit" look="primary" disabled={save.isPending || given === null}>
              {webhook === null ? 'Set up' : 'Save'}
            </Button>
          </div>
        )}
      </form>
      <NewSecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

/** Reads headers, one per line; null if a line is not a header. */
function parseHeaders(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:\s*(\S.*?)\s*$/.exec(line));
  if (pairs.some((pair) => pair === null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1]?.toLowerCase() ?? '', pair?.[2] ?? '']));
}
