import { type ReactNode, useState } from 'react';
import type { Masking } from '../../../api/generated/schema.ts';
import { useScope, useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorLine } from '../../ui/error-panel.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/panel.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { useDraft } from '../../ui/use-draft.ts';
import {
  isSameRules,
  masksNothing,
  problemsOf,
  rulesOf,
  type TypedRules,
  typedRules,
} from './masking-draft.ts';
import { AttributeFields, DetectorFields } from './masking-fields.tsx';
import { MaskingPreview, type TriedText } from './masking-preview.tsx';
import { MaskingReport } from './masking-report.tsx';
import { PatternFields } from './pattern-fields.tsx';
import { SuspendedPatterns } from './suspended-patterns.tsx';
import { useSaveRules } from './use-save-rules.ts';

/** Shows and changes what is masked before it is stored, and counts what was. */
export function MaskingForm(): ReactNode {
  const record = useApi('/v0/masking', {});
  // Kept here, so that saved rules can be tried on the same text.
  const [tried, setTried] = useState<TriedText>({ text: '', attribute: '' });
  return (
    <Loaded of={record} isFlush>
      {({ data }) => (
        <div className="grid gap-4 p-4">
          <div className="grid max-w-[760px] gap-2">
            {masksNothing(data) && (
              <p className="font-semibold">Nothing is masked: everything is stored as it arrives.</p>
            )}
            <p className="text-dim">
              Masking applies to what arrives from now on, and cannot be undone: the values that it replaces
              or removes are stored nowhere. What is already stored stays as it is.
            </p>
          </div>
          <SuspendedPatterns masking={data} />
          <Rules
            key={JSON.stringify(rulesOf(typedRules(data)))}
            masking={data}
            tried={tried}
            onTry={setTried}
          />
        </div>
      )}
    </Loaded>
  );
}

interface RulesProps {
  masking: Masking;
  tried: TriedText;
  onTry: (tried: TriedText) => void;
}

function Rules({ masking, tried, onTry }: RulesProps): ReactNode {
  const isAdmin = useScope('admin');
  const { application } = useSession();
  const stored = typedRules(masking);
  const draft = useDraft<TypedRules>(stored);
  const save = useSaveRules();
  const hasChanges = !isSameRules(draft.values, stored);
  const rules = rulesOf(draft.values);
  // A preview checks the rules as saving does: the problems of the last of both are shown.
  const [previewError, setPreviewError] = useState<unknown>(null);
  const problemAt = previewError === null ? problemsOf(save.error, []) : problemsOf(previewError, ['rules']);
  const fields = { values: draft.values, isFixed: !isAdmin, problemAt, onChange: draft.change };
  const forgetProblems = (): void => {
    setPreviewError(null);
    save.reset();
  };
  const discard = (): void => {
    forgetProblems();
    draft.discard();
  };
  return (
    <div className="grid gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,620px)_minmax(0,1fr)]">
      <Form
        className="grid content-start gap-5"
        onSubmit={() => {
          setPreviewError(null);
          save.mutate(rules);
        }}
      >
        <DetectorFields {...fields} />
        <PatternFields {...fields} onMove={forgetProblems} />
        <AttributeFields {...fields} rules={rules} />
        <ErrorLine error={save.error} />
        <SaveBar
          draft={{ hasChanges, discard }}
          isSaving={save.isPending}
          reason={isAdmin ? null : 'Only administrators can change masking.'}
          id={application.id}
        />
      </Form>
      <div className="grid content-start gap-6">
        {isAdmin && (
          <MaskingPreview
            rules={rules}
            tried={tried}
            onTry={onTry}
            onChecked={(error) => {
              save.reset();
              setPreviewError(error);
            }}
          />
        )}
        <MaskingReport />
      </div>
    </div>
  );
}
