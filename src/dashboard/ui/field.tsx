import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { ApiError } from '../../api/client.ts';
import { classNames } from './class-names.ts';

const CONTROL =
  'h-[30px] w-full rounded-md border border-edge bg-page px-2.5 text-ink aria-invalid:border-fail disabled:opacity-60';

interface FieldProps {
  label: string;
  /** Explains what to enter. */
  help?: ReactNode;
  /** Says what is wrong with the value. */
  problem?: string | undefined;
}

/** Returns the properties of a control, and those of its label. */
function useControl<P extends FieldProps & { className?: string | undefined }>(props: P, look?: string) {
  const { label, help, problem, className, ...rest } = props;
  const id = useId();
  const control = {
    id,
    className: classNames(CONTROL, look, className),
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-more`,
    ...rest,
  };
  return { control, labelled: { id, label, help, problem } };
}

/** A labelled text field. */
export function TextField(
  props: FieldProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> },
): ReactNode {
  const { control, labelled } = useControl(props);
  return (
    <Labelled {...labelled}>
      <input {...control} />
    </Labelled>
  );
}

interface TextAreaProps extends FieldProps, TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
}

/** A labelled text field of several lines. */
export function TextArea(props: TextAreaProps): ReactNode {
  const { control, labelled } = useControl(props, 'h-auto resize-y py-1.5');
  return (
    <Labelled {...labelled}>
      <textarea {...control} />
    </Labelled>
  );
}

interface SelectProps extends FieldProps, SelectHTMLAttributes<HTMLSelectElement> {
  choices: readonly (readonly [value: string, name: string])[];
}

/** A labelled list of choices. */
export function SelectField({ choices, children, ...props }: SelectProps): ReactNode {
  const { control, labelled } = useControl(props);
  return (
    <Labelled {...labelled}>
      <select {...control}>
        {children}
        <Options choices={choices} />
      </select>
    </Labelled>
  );
}

export const Options = ({ choices }: Pick<SelectProps, 'choices'>): ReactNode =>
  choices.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

function Labelled({
  id,
  label,
  help,
  problem,
  children,
}: FieldProps & { id: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-label font-semibold">
        {label}
      </label>
      {children}
      <p id={`${id}-more`} className="text-label empty:hidden">
        {problem === undefined ? (
          <span className="text-dim">{help}</span>
        ) : (
          <span className="text-fail">✕ {problem}</span>
        )}
      </p>
    </div>
  );
}

/** Returns what a rejected call says about one field of its body. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError ? error.issues.find(({ path }) => path[0] === field)?.message : undefined;
