import { useState } from 'react';
import { problemOf } from './field.tsx';

/** Changes of a record that a person has made and not yet saved. */
export interface Draft<T> {
  /** The record as it is shown in the form. */
  values: T;
  change: (patch: Partial<T>) => void;
  /** Fields that differ from the stored record. */
  changed: Partial<T>;
  hasChanges: boolean;
  discard: () => void;
}

/** Holds what a person has entered in a form until it is saved. */
export function useDraft<T extends object>(record: T): Draft<T> {
  const [values, setValues] = useState(record);
  const names = Object.keys(record) as (keyof T)[];
  const changed = Object.fromEntries(
    names.filter((name) => values[name] !== record[name]).map((name) => [name, values[name]]),
  ) as Partial<T>;
  return {
    values,
    change: (patch) => setValues((before) => ({ ...before, ...patch })),
    changed,
    hasChanges: Object.keys(changed).length > 0,
    discard: () => setValues(record),
  };
}

/** Returns a function that makes the properties of the field with a name. `error` is what the last attempt to save returned. */
export const fieldsOf =
  <T extends object>({ values, change }: Draft<T>, error: unknown, disabled = false) =>
  (name: keyof T & string) => ({
    value: (values[name] as string | null) ?? '',
    problem: problemOf(error, name),
    disabled,
    onChange: ({ target }: { target: { value: string } }): void =>
      change({ [name]: target.value } as Partial<T>),
  });
