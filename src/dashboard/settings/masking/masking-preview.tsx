import type { ReactNode } from 'react';
import type { PreviewMaskingBody } from '../../../api/generated/schema.ts';
import type { MaskingFields } from './masking-draft.ts';
import { useAction } from '../../api/use-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorLine } from '../../ui/error-panel.tsx';
import { problemOf, TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/panel.tsx';

/** Longest text that the server takes. */
const MAX_TEXT = 20_000;
const TOKEN = /(<[a-z][a-z\d_-]{0,31}:[\da-f]{12}>)/;

/** A text on which rules are tried. */
export interface TriedText {
  text: string;
  /** Key of the attribute that has it; empty for none. */
  attribute: string;
}

interface MaskingPreviewProps {
  tried: TriedText;
  onTry: (tried: TriedText) => void;
  /** The rules in the form, saved or not. */
  rules: MaskingFields;
  /** Called after each preview, with the error by which the server rejected it; null if it did not. */
  onChecked: (error: unknown) => void;
}

/** Shows what a text would be stored as. */
export function MaskingPreview({ rules, tried, onTry, onChecked }: MaskingPreviewProps): ReactNode {
  const { text, attribute } = tried;
  const body = { text, ...(attribute !== '' && { attribute }), rules };
  // Each preview is recorded in the audit: it tells whose value a token is.
  const preview = useAction(['/v0/audit'], (api, input: PreviewMaskingBody) =>
    api.POST('/v0/masking/preview', { body: input }),
  );
  const result = preview.data?.data;
  const isOld = JSON.stringify(preview.variables) !== JSON.stringify(body);
  const run = (): void =>
    preview.mutate(body, { onSuccess: () => onChecked(null), onError: (error) => onChecked(error) });
  return (
    <Section title="Preview">
      <p className="py-1 text-dim">
        Tries the rules of this page, saved or not, on a text. Nothing of it is stored.
      </p>
      <Form className="mt-1 grid gap-3" onSubmit={run}>
        <TextArea
          label="Text or JSON"
          rows={5}
          maxLength={MAX_TEXT}
          spellCheck={false}
          className="font-mono text-label"
          placeholder="Write to anna@example.com"
          value={text}
          problem={problemOf(preview.error, 'text')}
          onChange={({ target }) => onTry({ ...tried, text: target.value })}
        />
        <TextField
          label="Attribute"
          className="font-mono text-label"
          help="Key of the attribute that has the text, if it matters."
          placeholder="gen_ai.input.messages"
          value={attribute}
          problem={problemOf(preview.error, 'attribute')}
          onChange={({ target }) => onTry({ ...tried, attribute: target.value })}
        />
        <div>
          <Button type="submit" disabled={text === '' || preview.isPending}>
            {preview.isPending ? 'Trying …' : 'Preview'}
          </Button>
        </div>
        <ErrorLine error={preview.error} />
      </Form>
      {result && <Result text={result.text} masked={result.masked} isOld={isOld} />}
    </Section>
  );
}

interface ResultProps {
  text: string | null;
  masked: readonly { detector: string; count: number }[];
  /** True if the text or the rules were changed since. */
  isOld: boolean;
}

const Result = ({ text, masked, isOld }: ResultProps): ReactNode => (
  <div role="status" className="mt-3 grid gap-2">
    <p className="flex flex-wrap items-center gap-1.5">
      <span className="font-semibold">{text === null ? 'The attribute is removed' : 'Is stored as'}</span>
      {text !== null && masked.length === 0 && <Badge>Nothing is masked</Badge>}
      {text !== null &&
        masked.map(({ detector, count }) => (
          <Badge key={detector} tone="accent">
            {detector} {count}
          </Badge>
        ))}
      {isOld && <span className="text-doubt">Changed since: preview it again.</span>}
    </p>
    {text !== null && (
      <pre
        tabIndex={0}
        aria-label="Masked text"
        className="max-h-[240px] overflow-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-label leading-5 break-words whitespace-pre-wrap"
      >
        {text.split(TOKEN).map((part, index) =>
          index % 2 === 1 ? (
            <mark key={index} className="rounded-sm bg-selection text-accent">
              {part}
            </mark>
          ) : (
            part
          ),
        )}
      </pre>
    )}
  </div>
);
