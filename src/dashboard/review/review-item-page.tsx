import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AnnotationQueue, CreateAnnotationBody } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { type Shortcut, useShortcuts } from '../app/shortcuts.ts';
import { usePathParam, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { twoDigits } from '../format/time.ts';
import { Badge } from '../ui/badge.tsx';
import { Bar } from '../ui/bar.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { TextArea } from '../ui/field.tsx';
import { keptDraft, useDraftKey, useKeepDraft } from '../ui/kept-draft.ts';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Empty, LoadingRows } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';
import { ReviewSubject } from './subject.tsx';
import { type Reserved, type Review, useReview } from './use-review.ts';

const DEFAULTS = { item: '' };

export function ReviewItemPage(): ReactNode {
  const id = usePathParam('queueId');
  const queue = useApi('/v0/human-annotation-queues/{id}', { path: { id } });
  return (
    <Loaded of={queue} isFlush>
      {({ data }) => <QueueReview key={data.id} queue={data} refresh={() => void queue.refetch()} />}
    </Loaded>
  );
}

function QueueReview({ queue, refresh }: { queue: AnnotationQueue; refresh: () => void }): ReactNode {
  const [{ item }, change] = useUrlState(DEFAULTS);
  const review = useReview(queue.id, item === '' ? null : item);
  const { current, error, last } = review;
  const shown = current?.item.id ?? '';
  useEffect(() => {
    if (current !== undefined && shown !== item) change({ item: shown });
    if (current !== undefined) refresh();
    // Each new item changes the address and the progress.
  }, [shown, current === undefined]);
  const undo = (): void => {
    if (last !== null) void review.undo().then(() => announce('Review undone'));
  };
  const skip = (): void => void review.skip();
  useShortcuts([
    { keys: 'u', label: 'Undo the last review', group: 'Review', run: undo },
    { keys: 's', label: 'Skip the item', group: 'Review', run: skip },
  ]);
  const { progress, mine, isBlind, reviewsPerItem } = queue;
  return (
    <Page
      title={queue.title}
      back="/review"
      facts={
        <>
          {isBlind && (
            <Badge>blind: {reviewsPerItem === 1 ? 'one reviewer' : `${reviewsPerItem} reviewers`}</Badge>
          )}
          <span className="text-dim">
            <b className="font-semibold text-ink">{formatWhole(progress.completed)}</b> of{' '}
            {formatWhole(progress.items)} · {formatWhole(mine)} left for you
          </span>
        </>
      }
      actions={
        <>
          {current && <Countdown until={current.lease.expiresAt} />}
          <Button keys="s" onClick={skip} disabled={!current || review.isSaving}>
            Skip
          </Button>
          <Button keys="u" onClick={undo} disabled={last === null || review.isSaving}>
            Undo last
          </Button>
        </>
      }
    >
      <Bar share={progress.items === 0 ? 0 : progress.completed / progress.items} />
      {error !== null && (
        <div className="px-4 pt-3">
          <ErrorPanel error={error} onRetry={() => void review.reserve(shown === '' ? null : shown)}>
            {current && 'What you have written is kept.'}
          </ErrorPanel>
        </div>
      )}
      {current === undefined && error === null && (
        <div className="px-4">
          <LoadingRows />
        </div>
      )}
      {current === null && <NothingLeft queue={queue} />}
      {current && <Judging key={current.item.id} queue={queue} current={current} review={review} />}
    </Page>
  );
}

const NothingLeft = ({ queue: { progress } }: { queue: AnnotationQueue }): ReactNode => (
  <Empty title="Nothing is left for you">
    <p>
      {progress.begun > 0
        ? `${formatWhole(progress.begun)} items wait for other reviewers.`
        : `All ${formatWhole(progress.completed)} items are done.`}
    </p>
  </Empty>
);

/** Shows how long the item stays reserved. */
function Countdown({ until }: { until: string }): ReactNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1_000));
  return (
    <span className="text-dim tabular-nums">
      {seconds === 0
        ? 'reservation over'
        : `reserved for ${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`}
    </span>
  );
}

type Given = 'PASS' | 'FAIL' | 'UNSURE';
const CHOICES: readonly (readonly [given: Given, text: string, key: string])[] = [
  ['PASS', '✓ Passes', '1'],
  ['FAIL', '✕ Fails', '2'],
  ['UNSURE', '? Unsure', '3'],
];
/** Characters that a note on what fails has at least. */
const MIN_NOTE = 20;
const WITHOUT_CRITERIA = [{ id: 'overall', name: 'The response', description: 'Is it right?' }];

interface Draft {
  verdicts: Record<string, Given>;
  note: string;
  corrected: string;
}
const EMPTY: Draft = { verdicts: {}, note: '', corrected: '' };

interface ReviewActions {
  judge: (given: Given) => void;
  move: (by: number) => void;
  toNote: () => void;
  toCorrected: () => void;
  save: () => void;
}

const reviewKeys = ({ judge, move, toNote, toCorrected, save }: ReviewActions): Shortcut[] =>
  [
    ...CHOICES.map(([given, text, keys]) => ({ keys, label: text.slice(2), run: () => judge(given) })),
    { keys: 'ArrowUp', label: 'Criterion above', run: () => move(-1) },
    { keys: 'ArrowDown', label: 'Criterion below', run: () => move(1) },
    { keys: 'n', label: 'Write the note', run: toNote },
    { keys: 'c', label: 'Write what it should have said', run: toCorrected },
    { keys: 'Ctrl Enter', label: 'Save and next', run: save },
  ].map((shortcut) => ({ ...shortcut, group: 'Review' }));

interface CriterionCardProps {
  criterion: { name: string; description: string };
  number: number;
  given: Given | undefined;
  isCurrent: boolean;
  onJudge: (given: Given) => void;
}

const CriterionCard = ({
  criterion: { name, description },
  number,
  given,
  isCurrent,
  onJudge,
}: CriterionCardProps): ReactNode => (
  <section
    aria-label={name}
    className={`rounded-md border p-3 ${isCurrent ? 'border-accent' : 'border-line'}`}
  >
    <h2 className="flex font-semibold">
      {number}. {name}
      {isCurrent && <span className="ml-auto font-normal text-accent">now</span>}
    </h2>
    {description !== '' && <p className="mt-0.5 text-label text-dim">{description}</p>}
    <div role="group" aria-label={`Verdict: ${name}`} className="mt-2 flex flex-wrap gap-2">
      {CHOICES.map(([choice, text, keys]) => (
        <Button
          key={choice}
          className="h-8 max-[719px]:h-11 max-[719px]:grow"
          look={given === choice ? (choice === 'FAIL' ? 'danger' : 'chosen') : 'plain'}
          aria-pressed={given === choice}
          {...(isCurrent && { keys })}
          onClick={() => onJudge(choice)}
        >
          {text}
        </Button>
      ))}
    </div>
  </section>
);

interface SaveRowProps {
  overall: Given | null;
  isDisabled: boolean;
  onSave: () => void;
}

const SaveRow = ({ overall, isDisabled, onSave }: SaveRowProps): ReactNode => (
  <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-page py-3">
    <span role="status" className="text-dim">
      Overall <b className="font-semibold text-ink">{overall === null ? '–' : OVERALL[overall]}</b>
    </span>
    <Button
      look="primary"
      keys="Ctrl Enter"
      className="ml-auto h-8 max-[719px]:h-11"
      disabled={isDisabled}
      onClick={onSave}
    >
      Save, next
    </Button>
  </div>
);

function Judging({
  queue,
  current,
  review,
}: {
  queue: AnnotationQueue;
  current: Reserved;
  review: Review;
}): ReactNode {
  const criteria = queue.criteria.length === 0 ? WITHOUT_CRITERIA : queue.criteria;
  const key = `${useDraftKey()}|${current.item.id}`;
  const [draft, setDraft] = useState<Draft>(() => keptDraft<Draft>(key) ?? EMPTY);
  const [place, setPlace] = useState(0);
  const [isSaved, setSaved] = useState(false);
  useKeepDraft(key, isSaved || draft === EMPTY ? null : draft);
  const note = useRef<HTMLTextAreaElement>(null);
  const corrected = useRef<HTMLTextAreaElement>(null);
  const change = (patch: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...patch }));
    review.renew();
  };
  const judge = (given: Given, at = place): void => {
    const criterion = criteria[at];
    if (!criterion) return;
    change({ verdicts: { ...draft.verdicts, [criterion.id]: given } });
    setPlace(Math.min(at + 1, criteria.length - 1));
  };
  const overall = overallOf(criteria.map(({ id }) => draft.verdicts[id]));
  const written = draft.note.trim();
  const isReady = overall !== null && (overall !== 'FAIL' || written.length >= MIN_NOTE);
  const save = (): void => {
    if (!isReady || review.isSaving) {
      if (overall === 'FAIL') note.current?.focus();
      return;
    }
    void saveReview(overall);
  };
  const saveReview = async (judged: Given): Promise<void> => {
    if (!(await review.save(bodyOf(queue, draft, judged)))) return;
    setSaved(true);
    sessionStorage.removeItem(key);
    announce('Review saved');
  };
  useShortcuts(
    reviewKeys({
      judge,
      move: (by) => setPlace(Math.max(0, Math.min(criteria.length - 1, place + by))),
      toNote: () => note.current?.focus(),
      toCorrected: () => corrected.current?.focus(),
      save,
    }),
  );
  return (
    <div className="grid min-[1024px]:grid-cols-[minmax(0,1fr)_420px]">
      <ReviewSubject content={current.content} />
      <div className="grid content-start gap-3 border-line px-4 py-4 max-[1023px]:border-t min-[1024px]:border-l">
        {criteria.map((criterion, at) => (
          <CriterionCard
            key={criterion.id}
            criterion={criterion}
            number={at + 1}
            given={draft.verdicts[criterion.id]}
            isCurrent={at === place}
            onJudge={(given) => judge(given, at)}
          />
        ))}
        <TextArea
          ref={note}
          label={overall === 'FAIL' ? 'What went wrong?' : 'Note'}
          help={
            overall === 'FAIL'
              ? `${formatWhole(written.length)} characters; at least ${MIN_NOTE} when something fails. Describe what you see.`
              : 'Optional.'
          }
          rows={3}
          maxLength={2_048}
          className="max-[719px]:text-[16px]"
          value={draft.note}
          onChange={({ target }) => change({ note: target.value })}
        />
        <TextArea
          ref={corrected}
          label="What should it have said?"
          help="Optional. An example that is made of the trace expects it."
          rows={3}
          className="max-[719px]:text-[16px]"
          value={draft.corrected}
          onChange={({ target }) => change({ corrected: target.value })}
        />
        <SaveRow overall={overall} isDisabled={!isReady || review.isSaving} onSave={save} />
      </div>
    </div>
  );
}

const OVERALL: Readonly<Record<Given, string>> = { PASS: '✓ Passes', FAIL: '✕ Fails', UNSURE: '? Unsure' };

/** Returns the overall verdict; null until every criterion has one. */
function overallOf(verdicts: readonly (Given | undefined)[]): Given | null {
  if (verdicts.includes(undefined)) return null;
  if (verdicts.includes('FAIL')) return 'FAIL';
  return verdicts.includes('UNSURE') ? 'UNSURE' : 'PASS';
}

function bodyOf({ criteria }: AnnotationQueue, draft: Draft, overall: Given): Partial<CreateAnnotationBody> {
  const texts = { critique: draft.note.trim() || null, correctedOutput: draft.corrected.trim() || null };
  if (criteria.length > 0)
    return {
      ...texts,
      criteria: criteria.map(({ id }) => ({ criterionId: id, verdict: draft.verdicts[id] ?? 'UNSURE' })),
    };
  return {
    ...texts,
    verdict: overall === 'UNSURE' ? null : overall === 'PASS',
    unsure: overall === 'UNSURE',
  };
}
