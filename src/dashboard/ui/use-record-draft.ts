import { useState } from 'react';
import { keptDraft, useDraftKey, useKeepDraft } from './kept-draft.ts';
import type { Draft } from './use-draft.ts';

/** A field that a person has changed and that someone else has changed meanwhile. */
export interface Conflict {
  names: readonly string[];
  keepMine: () => void;
  takeTheirs: () => void;
}

/** Changes of a stored record, and the version that they were made from. */
export interface RecordDraft<T> extends Draft<T> {
  conflict: Conflict | null;
  /** Request headers with which a change is made to that version only. */
  ifMatch: { 'if-match': string };
}

interface State<T> {
  /** The record from which the person began. */
  base: T;
  version: string;
  patch: Partial<T>;
}

/**
 * Holds the changes of a record until they are saved, also while the page is left. When someone else changes the record meanwhile, the changes of
 * both are combined, and the person decides about fields that both have changed. Give the form the id of the record as its key.
 */
export function useRecordDraft<T extends object>(stored: T, version: string): RecordDraft<T> {
  const key = useDraftKey();
  const [state, setState] = useState<State<T>>(
    () => keptDraft<State<T>>(key) ?? { base: stored, version, patch: {} },
  );
  const names = version === state.version ? [] : conflictsOf(state, stored);
  const isBehind = version !== state.version && names.length === 0;
  const current = isBehind ? rebased(state, stored, version) : state;
  // React renders again at once, before anything is shown.
  if (isBehind) setState(current);
  const { base, patch } = current;
  const changed = differing(patch, base);
  const hasChanges = Object.keys(changed).length > 0;
  useKeepDraft(key, hasChanges ? current : null);
  return {
    values: { ...base, ...patch },
    change: (given) => setState((before) => ({ ...before, patch: { ...before.patch, ...given } })),
    changed,
    hasChanges,
    discard: () => setState({ base: stored, version, patch: {} }),
    ifMatch: { 'if-match': `"${current.version}"` },
    conflict:
      names.length === 0
        ? null
        : {
            names,
            keepMine: () => setState((before) => rebased(before, stored, version)),
            takeTheirs: () =>
              setState((before) =>
                rebased({ ...before, patch: without(before.patch, names) }, stored, version),
              ),
          },
  };
}

/** Returns the names of changed fields whose stored value is neither the one that the person began with nor theirs. */
const conflictsOf = <T extends object>({ base, patch }: State<T>, stored: T): (keyof T & string)[] =>
  (Object.keys(differing(patch, base)) as (keyof T & string)[]).filter(
    (name) => stored[name] !== base[name] && stored[name] !== patch[name],
  );

const rebased = <T extends object>({ patch }: State<T>, stored: T, version: string): State<T> => ({
  base: stored,
  version,
  patch: differing(patch, stored),
});

/** Returns the fields of a patch that differ from a record. */
const differing = <T extends object>(patch: Partial<T>, record: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => value !== record[name as keyof T]),
  ) as Partial<T>;

const without = <T extends object>(patch: Partial<T>, names: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(
    Object.entries(patch).filter(([name]) => !names.includes(name as keyof T)),
  ) as Partial<T>;
