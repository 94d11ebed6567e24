import { type ReactNode, useState } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { TextField } from '../ui/field.tsx';
import { useDelayedText } from '../ui/use-delayed-text.ts';
import { PrioritySign } from './signs.tsx';
import { PRIORITY_NAMES } from './words.ts';

/** Issues that are offered at once. */
const MAX_OFFERED = 8;
/** Milliseconds after the last letter at which a search starts. */
const WAIT_MS = 250;

/** Issue that is chosen: the number of one that exists, or the title of a new one. */
export type ChosenIssue = { number: number } | { title: string };

interface IssueChoiceProps {
  value: ChosenIssue | null;
  onChange: (chosen: ChosenIssue | null) => void;
  /** True if a new issue may be chosen. */
  offersNew: boolean;
  /** Issue that is not offered. */
  except?: number;
  /** Title of a new issue that is offered while no text is entered. */
  suggestedTitle?: string;
}

type OfferedIssue = Pick<Issue, 'number' | 'title' | 'priority'>;

/** Chooses an open issue by its number or by words of its title; the text becomes the title of a new one. */
export function IssueChoice(props: IssueChoiceProps): ReactNode {
  const { value, onChange, offersNew, except, suggestedTitle = '' } = props;
  const [search, setSearch] = useState('');
  const [text, setText] = useDelayedText(search, setSearch, WAIT_MS);
  const offered = useOffered(search).filter(({ number }) => number !== except);
  const title = text.trim() || suggestedTitle;
  return (
    <div className="grid grid-cols-1 gap-2">
      <TextField
        label="Issue"
        help={
          offersNew
            ? 'Number or words of an open issue, or the title of a new one.'
            : 'Number or words of an open issue.'
        }
        maxLength={256}
        autoFocus
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (value !== null && 'title' in value) onChange(null);
        }}
      />
      <fieldset className="grid grid-cols-1 gap-1">
        <legend className="sr-only">Issues that match</legend>
        {offered.map((issue) => (
          <Radio
            key={issue.number}
            isChosen={value !== null && 'number' in value && value.number === issue.number}
            onChoose={() => onChange({ number: issue.number })}
          >
            <PrioritySign priority={issue.priority} />
            <span className="sr-only">{PRIORITY_NAMES[issue.priority]} priority</span> #{issue.number}{' '}
            {issue.title}
          </Radio>
        ))}
        {offersNew && title !== '' && (
          <Radio isChosen={value !== null && 'title' in value} onChoose={() => onChange({ title })}>
            New issue “{title}”
          </Radio>
        )}
        {offered.length === 0 && (!offersNew || title === '') && (
          <p className="text-dim">{text.trim() === '' ? 'No issue is open.' : 'No open issue matches.'}</p>
        )}
      </fieldset>
    </div>
  );
}

/** Returns the open issues that a text finds, the one with that number first. */
function useOffered(search: string): readonly OfferedIssue[] {
  const number = /^#?([1-9]\d{0,8})$/.exec(search.trim())?.[1];
  const list = useApi(
    '/v0/issues',
    {
      query: {
        status: ['OPEN'],
        limit: MAX_OFFERED,
        orderBy: 'lastSeenAt' as const,
        orderDir: 'desc' as const,
        ...(search.trim() !== '' && number === undefined && { search: search.trim() }),
      },
    },
    { keepsRows: true },
  );
  const named = useApi('/v0/issues/{id}', { path: { id: number ?? '1' } }, { enabled: number !== undefined });
  const found = number === undefined || named.data === undefined ? [] : [named.data.data];
  const isLinkable = found.filter(({ mergedInto }) => mergedInto === null);
  return [
    ...isLinkable,
    ...(list.data?.data ?? []).filter((issue) => !isLinkable.some((one) => one.id === issue.id)),
  ];
}

const Radio = ({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}): ReactNode => (
  <label className="flex min-h-6 cursor-pointer items-start gap-2 [overflow-wrap:anywhere]">
    <input type="radio" name="issue" className="mt-1" checked={isChosen} onChange={onChoose} />
    <span className="min-w-0">{children}</span>
  </label>
);
