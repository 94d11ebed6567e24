import { type ReactNode, useState } from 'react';
import type { Note } from '../../api/generated/schema.ts';
import { useScope, useSession } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { Button } from '../ui/button.tsx';
import { DASH, momentColumn } from '../ui/cells.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Page } from '../ui/page.tsx';
import { RecordList, Total } from '../ui/record-list.tsx';
import { SelectedBar } from '../ui/selected-bar.tsx';
import { Empty } from '../ui/states.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { AddToIssueDialog } from './add-to-issue-dialog.tsx';
import { IssueTabs } from './issue-tabs.tsx';
import { SuggestedGroups } from './suggested-groups.tsx';
import { useMayAnnotate } from './use-may-annotate.ts';

const DEFAULTS = { sort: '-createdAt', skip: '0', mine: '' };
const NONE: ReadonlySet<string> = new Set();
/** Most notes that a model groups at once. */
const MAX_SUGGESTED = 200;

/** Lists the notes that are evidence for no issue; those about the same problem are put into one. */
export function GroupNotesPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const { user, apiKey } = useSession().login;
  const self = (user ?? apiKey)?.id;
  const mayLink = useMayAnnotate();
  const maySuggest = useScope('write');
  const [suggestsFor, setSuggestsFor] = useState<readonly string[] | null>(null);
  const [selected, setSelected] = useState(NONE);
  const isMine = state.mine !== '' && self !== undefined;
  const list = useApi(
    '/v0/notes',
    {
      query: {
        ...pageOf<'createdAt' | 'modifiedAt'>(state),
        unassigned: true,
        ...(isMine && { creatorId: [self] }),
      },
    },
    { keepsRows: true },
  );
  return (
    <Page
      title="Notes without an issue"
      back="/issues"
      tabs={<IssueTabs current="notes" />}
      actions={
        maySuggest && (
          <Button
            disabled={suggestsFor !== null}
            onClick={() => setSuggestsFor([...selected].slice(0, MAX_SUGGESTED))}
          >
            Suggest groups …
          </Button>
        )
      }
      bar={
        <div className="flex flex-wrap items-center gap-2">
          {self !== undefined && (
            <CheckField checked={isMine} onChange={(isOn) => change({ mine: isOn ? 'yes' : '', skip: '0' })}>
              My notes only
            </CheckField>
          )}
          <Total of={list} what="note" />
        </div>
      }
    >
      {suggestsFor !== null && <SuggestedGroups noteIds={suggestsFor} onClose={() => setSuggestsFor(null)} />}
      {selected.size > 0 && <SelectedNotes selected={selected} onClear={() => setSelected(NONE)} />}
      <RecordList
        label="Notes without an issue"
        of={list}
        what="note"
        columns={COLUMNS}
        href={({ traceId, spanId }) =>
          `/traces/${traceId}?tab=notes${spanId === null ? '' : `&span=${spanId}`}`
        }
        state={state}
        onChange={change}
        onClear={isMine ? () => change({ mine: '' }) : undefined}
        empty={<NoNotes />}
        {...(mayLink && { selected, onSelect: setSelected })}
      />
    </Page>
  );
}

interface SelectedNotesProps {
  selected: ReadonlySet<string>;
  onClear: () => void;
}

/** Says how many notes are selected, and puts them into an issue. */
function SelectedNotes({ selected, onClear }: SelectedNotesProps): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const noteIds = [...selected];
  const ask = (): void => setAsked(true);
  useShortcuts([{ keys: 'i', label: 'Add the selected notes to an issue', group: 'This page', run: ask }]);
  return (
    <SelectedBar ids={noteIds} onClear={onClear}>
      <Button look="primary" keys="i" onClick={ask}>
        Add to issue
      </Button>
      {isAsked && (
        <AddToIssueDialog
          links={{ noteIds }}
          count={noteIds.length}
          source="HUMAN_ANNOTATION"
          staysHere
          onClose={() => setAsked(false)}
          onDone={onClear}
        />
      )}
    </SelectedBar>
  );
}

const COLUMNS: readonly TableColumn<Note>[] = [
  {
    id: 'text',
    title: 'Note',
    card: 'title',
    cell: ({ text }) => (
      <span dir="auto" className="font-semibold" title={text}>
        {text}
      </span>
    ),
  },
  {
    id: 'quote',
    title: 'Words',
    card: 'text',
    priority: 1,
    cell: ({ quote }) =>
      quote === null ? (
        DASH
      ) : (
        <span dir="auto" className="text-dim" title={quote}>
          “{quote}”
        </span>
      ),
  },
  {
    id: 'creator',
    title: 'By',
    width: 'w-[140px]',
    card: 'meta',
    priority: 2,
    cell: ({ createdBy }) => createdBy.name,
  },
  { ...momentColumn('createdAt', 'Written', { isSortable: true }), card: 'meta', priority: 3 },
];

const NoNotes = (): ReactNode => (
  <Empty title="Every note has an issue, or there are no notes yet">
    <p>
      To write one, open a trace from{' '}
      <AppLink href="/traces" className="text-accent underline">
        Traces
      </AppLink>
      , select words of the answer, and choose “Add note”. Notes about the same problem are put into one issue
      here.
    </p>
  </Empty>
);
