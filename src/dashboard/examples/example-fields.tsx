import type { ReactNode } from 'react';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import type { ExampleDraft } from './example-draft.ts';

const STATUSES = [
  ['ACTIVE', 'Active'],
  ['ARCHIVED', 'Archived'],
] as const;
const STATUSES_OF_WRITTEN = [['WRITTEN', 'Written by a model'], ...STATUSES] as const;

/** Fields that are typed as text. */
type TextName = Exclude<keyof ExampleDraft, 'isExpectedJson' | 'status'>;

interface TextFieldProps {
  value: string;
  problem: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}

interface ExampleFieldsProps {
  draft: ExampleDraft;
  isNew: boolean;
  isInputJson: boolean;
  /** Says what is wrong with a field. */
  problems: Readonly<Partial<Record<keyof ExampleDraft, string | undefined>>>;
  onChange: (patch: Partial<ExampleDraft>) => void;
}

/** The form of an example. */
export function ExampleFields(props: ExampleFieldsProps): ReactNode {
  const { draft, isNew, isInputJson, problems, onChange } = props;
  const field = (name: TextName): TextFieldProps => ({
    value: draft[name],
    problem: problems[name],
    onChange: ({ target }) => onChange({ [name]: target.value }),
  });
  const code = 'font-mono text-label';
  return (
    <>
      <TextArea
        label="Input"
        help={isInputJson ? 'An object that meets the prompt schema of the task.' : 'Prompt of the test.'}
        rows={5}
        required
        autoFocus={isNew}
        className={isInputJson ? code : ''}
        {...field('input')}
      />
      <div className="grid gap-1">
        <TextArea
          label="Expected output"
          help="Evaluators compare the answer with it. It takes precedence over that of an evaluator’s link."
          rows={3}
          className={draft.isExpectedJson ? code : ''}
          {...field('expected')}
        />
        <CheckField
          checked={draft.isExpectedJson}
          onChange={(isExpectedJson) => onChange({ isExpectedJson })}
        >
          The expected output is JSON
        </CheckField>
      </div>
      <TextArea label="Rubric" help="What a good answer must contain." rows={2} {...field('rubric')} />
      <TextArea
        label="Rubrics by evaluator"
        help='A JSON object such as {"Tone": "Apologises once."}: what a good answer must contain for one evaluator, in place of the rubric above.'
        rows={2}
        className={code}
        {...field('rubrics')}
      />
      <DataSetFields {...props} field={field} />
      <TextArea
        label="Metadata"
        help="A JSON object that is sent with each test."
        rows={2}
        className={code}
        {...field('metadata')}
      />
    </>
  );
}

interface DataSetFieldsProps extends ExampleFieldsProps {
  field: (name: TextName) => TextFieldProps;
}

/** Fields that place the example in its data set. */
function DataSetFields({ draft, isNew, onChange, field }: DataSetFieldsProps): ReactNode {
  return (
    <div className="grid grid-cols-2 gap-4">
      <TextField
        label="Subset"
        help="Part of the data set, such as train or test."
        maxLength={64}
        {...field('split')}
      />
      <TextField label="Tags" help="Separated by commas." {...field('tags')} />
      <TextField
        label="Key"
        help="An import with the same key changes this example."
        maxLength={256}
        {...field('key')}
      />
      <TextField
        label="Weight"
        help="Importance of the example. It is exported; pass rates do not use it."
        inputMode="decimal"
        {...field('weight')}
      />
      {!isNew && (
        <SelectField
          label="Status"
          help="Archived examples are not tested."
          value={draft.status}
          choices={draft.status === 'WRITTEN' ? STATUSES_OF_WRITTEN : STATUSES}
          onChange={({ target }) => onChange({ status: target.value as ExampleDraft['status'] })}
        />
      )}
    </div>
  );
}
