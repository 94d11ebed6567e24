import { type ReactNode, useState } from 'react';
import type { SaveWebhookBody, Webhook } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, TextArea, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';
import { NewSecretDialog } from './new-secret-dialog.tsx';

interface SettingsFormProps {
  webhook: Webhook | null;
  isReadOnly: boolean;
}

const DEFAULT_TIMEOUT_S = 120;

/** Shows and changes where tests are sent. */
export function SettingsForm({ webhook, isReadOnly }: SettingsFormProps): ReactNode {
  const draft = useDraft({
    url: webhook?.url ?? '',
    seconds: String((webhook?.timeoutMs ?? DEFAULT_TIMEOUT_S * 1000) / 1000),
    isEnabled: webhook?.enabled ?? true,
  });
  const [headers, setHeaders] = useState<string | null>(webhook === null ? '' : null);
  const [secret, setSecret] = useState<string | null>(null);
  const save = useAction(['/v0/webhook'], (api, body: SaveWebhookBody) => api.POST('/v0/webhook', { body }));
  const field = fieldsOf(draft, save.error, isReadOnly);
  const given = headers === null ? undefined : parseHeaders(headers);
  const submit = (): void => {
    if (given === null) return;
    const { url, seconds, isEnabled } = draft.values;
    const body = { url, timeoutMs: Math.round(Number(seconds) * 1000), enabled: isEnabled };
    save.mutate(given === undefined ? body : { ...body, headers: given }, {
      onSuccess: ({ data }) => {
        announce('Saved');
        setSecret(data.webhookSecret ?? null);
        setHeaders(null);
      },
    });
  };
  return (
    <>
      <Form className="grid gap-3" onSubmit={submit}>
        <AddressFields field={field} error={save.error} />
        <HeadersField
          names={Object.keys(webhook?.headers ?? {})}
          text={headers}
          problem={given === null ? NO_HEADER : problemOf(save.error, 'headers')}
          isReadOnly={isReadOnly}
          onChange={setHeaders}
        />
        <CheckField
          disabled={isReadOnly}
          checked={draft.values.isEnabled}
          onChange={(isEnabled) => draft.change({ isEnabled })}
        >
          Send tests to this address
        </CheckField>
        <ErrorLine error={save.error} />
        {!isReadOnly && (
          <div>
            <Button type="submit" look="primary" disabled={save.isPending || given === null}>
              {webhook === null ? 'Set up' : 'Save'}
            </Button>
          </div>
        )}
      </Form>
      <NewSecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

interface AddressFieldsProps {
  field: (name: 'url' | 'seconds') => ReturnType<ReturnType<typeof fieldsOf>>;
  error: unknown;
}

const AddressFields = ({ field, error }: AddressFieldsProps): ReactNode => (
  <>
    <TextField
      label="URL"
      type="url"
      required
      placeholder="https://app.example.com/touchstone"
      {...field('url')}
    />
    <TextField
      label="Time limit, in seconds"
      help="Your app must respond within this time."
      type="number"
      min={1}
      max={900}
      step="any"
      required
      {...field('seconds')}
      problem={problemOf(error, 'timeoutMs')}
    />
  </>
);

interface HeadersFieldProps {
  /** Names of the stored headers; their values cannot be read. */
  names: readonly string[];
  /** Headers that replace them; null while none do. */
  text: string | null;
  problem: string | undefined;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

function HeadersField({ names, text, problem, isReadOnly, onChange }: HeadersFieldProps): ReactNode {
  if (text !== null)
    return (
      <TextArea
        label="Headers"
        help="One per line, such as “authorization: Bearer …”. Their values are never shown again."
        rows={3}
        disabled={isReadOnly}
        value={text}
        onChange={({ target }) => onChange(target.value)}
        problem={problem}
      />
    );
  return (
    <div className="flex items-center gap-2">
      <span className="text-label font-semibold">Headers</span>
      <span className="text-dim">
        {names.length === 0 ? 'none' : names.map((name) => `${name}: ***`).join(', ')}
      </span>
      {!isReadOnly && (
        <Button onClick={() => onChange(names.map((name) => `${name}: `).join('\n'))}>Replace</Button>
      )}
    </div>
  );
}

const NO_HEADER = 'Each line must have a name, a colon and a value.';

/** Reads headers, one per line; null if a line is not a header. */
function parseHeaders(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:\s*(\S.*?)\s*$/.exec(line));
  if (pairs.some((pair) => pair === null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1]?.toLowerCase() ?? '', pair?.[2] ?? '']));
}
