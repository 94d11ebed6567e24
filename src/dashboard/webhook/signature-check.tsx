import { type ReactNode, useState } from 'react';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/panel.tsx';
import { parsedJson, parsePastedRequest, type PastedRequest } from './parse-request.ts';
import { SignatureVerdict } from './signature-verdict.tsx';

const NOTHING: PastedRequest = { signature: '', timestamp: '', body: '' };
/** Timestamps that are integers are passed on as numbers. */
const INTEGER = /^\d+$/;

/** Checks what arrived at the app, and names what was changed on the way. */
export function SignatureCheck(): ReactNode {
  const [request, setRequest] = useState(NOTHING);
  const mayExplain = useScope('admin');
  const check = useAction(['/v0'], (api, { signature, timestamp, body }: PastedRequest) =>
    api.POST('/v0/validate-webhook', {
      params: { header: { 'x-explain': 'true' } },
      body: { signature, timestamp: Number(timestamp), body: {} },
      // The body continues as it was pasted: parsed and written again, it may be another one.
      bodySerializer: () =>
        `{"signature":${JSON.stringify(signature)},"timestamp":${INTEGER.test(timestamp) ? timestamp : JSON.stringify(timestamp)},"body":${body}}`,
    }),
  );
  const change = (patch: Partial<PastedRequest>): void => {
    setRequest({ ...request, ...patch });
    check.reset();
  };
  const isJson = request.body === '' || parsedJson(request.body) !== undefined;
  const isComplete = Object.values(request).every((value) => value !== '') && isJson;
  return (
    <div className="grid grid-cols-2 gap-8 max-[1100px]:grid-cols-1">
      <Section title="What arrived at your app">
        <Form className="mt-1 grid gap-3" onSubmit={() => check.mutate(request)}>
          <RequestFields request={request} isJson={isJson} onChange={change} />
          <div>
            <Button type="submit" look="primary" disabled={!isComplete || check.isPending}>
              Check
            </Button>
          </div>
        </Form>
      </Section>
      <Section title="Verdict">
        <div aria-live="polite" className="mt-1">
          <ErrorLine error={check.error} />
          {check.data ? (
            <SignatureVerdict verdict={check.data} request={request} mayExplain={mayExplain} />
          ) : (
            check.error === null && (
              <p className="text-reading text-dim">
                Paste what your app received and rejected. The check tells a wrong clock from a wrong secret,
                and marks the place at which the body was changed.
              </p>
            )
          )}
        </div>
      </Section>
    </div>
  );
}

const CODE = { spellCheck: false, className: 'font-mono text-label' } as const;

interface RequestFieldsProps {
  request: PastedRequest;
  isJson: boolean;
  onChange: (patch: Partial<PastedRequest>) => void;
}

function RequestFields({ request, isJson, onChange }: RequestFieldsProps): ReactNode {
  const paste = (text: string): void => {
    const found = parsePastedRequest(text);
    onChange(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')));
  };
  return (
    <>
      <TextArea
        label="Complete request"
        help="Paste headers and body, as text or JSON: the fields below fill themselves."
        rows={3}
        {...CODE}
        onChange={({ target }) => paste(target.value)}
      />
      <TextField
        label="x-service-signature"
        autoComplete="off"
        {...CODE}
        value={request.signature}
        onChange={({ target }) => onChange({ signature: target.value.trim() })}
      />
      <TextField
        label="x-service-timestamp"
        autoComplete="off"
        {...CODE}
        value={request.timestamp}
        onChange={({ target }) => onChange({ timestamp: target.value.trim() })}
      />
      <TextArea
        label="Body"
        rows={8}
        {...CODE}
        value={request.body}
        onChange={({ target }) => onChange({ body: target.value })}
        problem={isJson ? undefined : 'The body must be JSON, exactly as it arrived.'}
      />
    </>
  );
}
