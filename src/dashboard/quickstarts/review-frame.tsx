import { type ReactNode, useRef } from 'react';
import { type Shortcut, useShortcuts } from '../app/shortcuts.ts';
import { useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Empty } from '../ui/states.tsx';
import type { StepProps } from './step-props.ts';
import { stepBeside, type StepId, titleOfStep } from './steps.ts';
import { type Move, useMove } from './use-move.ts';

/** Record that is reviewed on a screen of its own. */
export interface ReviewItem {
  id: string;
  title: string;
  /** Second line in the list. */
  detail: string;
  state: 'open' | 'accepted' | 'rejected';
}

interface ReviewFrameProps<Item extends ReviewItem> extends StepProps {
  step: StepId;
  items: readonly Item[];
  /** Says what the step would have, where it has nothing. */
  empty: ReactNode;
  isBusy: boolean;
  error: unknown;
  /** Accepts an item and calls `onDone` when that is saved. */
  accept: (item: Item, onDone: () => void) => void;
  reject: (item: Item, onDone: () => void) => void;
  /** Accepts all that are open. */
  acceptRest: (items: readonly Item[]) => void;
  children: (item: Item) => ReactNode;
}

const SIGNS = { open: ['○', 'open'], accepted: ['✓', 'accepted'], rejected: ['✕', 'rejected'] } as const;
const DEFAULTS = { item: '' };

/** Reviews the items of a step one on a screen: the list at the left, the item, and the decision below it. */
export function ReviewFrame<Item extends ReviewItem>(props: ReviewFrameProps<Item>): ReactNode {
  const { quickstart, step, items, isReadOnly, isBusy, error, children } = props;
  const [{ item: named }, change] = useUrlState(DEFAULTS);
  const body = useRef<HTMLDivElement>(null);
  const move = useMove(quickstart, isReadOnly);
  const open = items.filter(({ state }) => state === 'open');
  const current = items.find(({ id }) => id === named) ?? open[0] ?? items[0];
  const at = current === undefined ? -1 : items.indexOf(current);
  const show = (item: Item | undefined): void => {
    if (item) change({ item: item.id }, { replace: true });
  };
  const after = (decided: Item): void => {
    const left = open.filter(({ id }) => id !== decided.id);
    show(left.find((one) => items.indexOf(one) > at) ?? left[0] ?? decided);
  };
  const isBlocked = isReadOnly || isBusy || current === undefined;
  const accept = (): void => {
    if (!isBlocked && current.state !== 'accepted') props.accept(current, () => after(current));
  };
  const reject = (): void => {
    if (!isBlocked && current.state !== 'rejected') props.reject(current, () => after(current));
  };
  const acceptRest = (): void => {
    if (!isBlocked && open.length > 0) props.acceptRest(open);
  };
  const next = stepBeside(step, 1) ?? 'confirm';
  useShortcuts(
    reviewKeys({
      isReadOnly,
      accept,
      reject,
      acceptRest,
      showBeside: (by) => show(items[at + by]),
      edit: () => body.current?.querySelector<HTMLElement>('input, textarea, a')?.focus(),
    }),
  );
  const toNext = <NextStep next={next} isMain={open.length === 0} move={move} />;
  if (current === undefined)
    return (
      <Empty title="Nothing to review here">
        {props.empty}
        <ErrorLine error={move.error} />
        <div>{toNext}</div>
      </Empty>
    );
  return (
    <div className="flex h-full min-h-0 max-[1023px]:flex-col">
      <ul
        aria-label={titleOfStep(step)}
        className="w-[288px] shrink-0 overflow-y-auto border-line max-[1023px]:max-h-[180px] max-[1023px]:w-full max-[1023px]:border-b min-[1024px]:border-r"
      >
        {items.map((item) => (
          <ItemRow key={item.id} item={item} isCurrent={item === current} onShow={() => show(item)} />
        ))}
      </ul>
      <div className="flex min-h-0 min-w-0 grow flex-col">
        <div key={current.id} ref={body} className="min-h-0 grow overflow-y-auto p-4">
          {children(current)}
        </div>
        <div className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line px-4 py-3">
          <Button keys="←" disabled={at <= 0} onClick={() => show(items[at - 1])}>
            Back
          </Button>
          <span role="status" className="text-dim">
            {open.length === 0 ? 'all reviewed' : `${formatWhole(open.length)} left in this step`}
          </span>
          <ErrorLine error={error ?? move.error} />
          <div className="ml-auto flex flex-wrap gap-2">
            {!isReadOnly && (
              <>
                <Button keys="r" disabled={isBusy || current.state === 'rejected'} onClick={reject}>
                  Reject
                </Button>
                <Button keys="A" disabled={isBusy || open.length === 0} onClick={acceptRest}>
                  Accept the rest
                </Button>
                <Button
                  look={open.length === 0 ? 'plain' : 'primary'}
                  keys="a"
                  disabled={isBusy || current.state === 'accepted'}
                  onClick={accept}
                >
                  Accept
                </Button>
              </>
            )}
            {toNext}
          </div>
        </div>
      </div>
    </div>
  );
}

interface NextStepProps {
  next: StepId;
  /** True if nothing is left to do in the step before. */
  isMain: boolean;
  move: Move;
}

const NextStep = ({ next, isMain, move }: NextStepProps): ReactNode => (
  <Button look={isMain ? 'primary' : 'plain'} disabled={move.isPending} onClick={() => move.to(next)}>
    Next: {titleOfStep(next)}
  </Button>
);

interface ReviewKeys {
  isReadOnly: boolean;
  accept: () => void;
  reject: () => void;
  acceptRest: () => void;
  showBeside: (by: 1 | -1) => void;
  edit: () => void;
}

function reviewKeys({ isReadOnly, accept, reject, acceptRest, showBeside, edit }: ReviewKeys): Shortcut[] {
  const moves = [
    { keys: 'j', label: 'Next item', run: () => showBeside(1) },
    { keys: 'k', label: 'Previous item', run: () => showBeside(-1) },
    { keys: 'ArrowLeft', label: 'Previous item', run: () => showBeside(-1) },
  ];
  const decisions = [
    { keys: 'a', label: 'Accept', run: accept },
    { keys: 'r', label: 'Reject', run: reject },
    { keys: 'Shift A', label: 'Accept the rest', run: acceptRest },
    { keys: 'e', label: 'Edit', run: edit },
  ];
  return [...moves, ...(isReadOnly ? [] : decisions)].map((one) => ({ ...one, group: 'Quickstart' }));
}

interface ItemRowProps {
  item: ReviewItem;
  isCurrent: boolean;
  onShow: () => void;
}

function ItemRow({ item: { title, detail, state }, isCurrent, onShow }: ItemRowProps): ReactNode {
  const [sign, word] = SIGNS[state];
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onShow}
        className={classNames(
          'flex w-full cursor-pointer items-start gap-2.5 border-l-2 px-3 py-2 text-left -outline-offset-2 hover:bg-panel',
          isCurrent ? 'border-l-accent bg-selection' : 'border-l-transparent',
        )}
      >
        <span aria-hidden="true" className={state === 'accepted' ? 'text-pass' : 'text-dim'}>
          {sign}
        </span>
        <span className="min-w-0">
          <span className="block truncate">{title}</span>
          <span className="block truncate text-label text-dim">
            {state === 'rejected' ? 'rejected' : detail}
          </span>
          <span className="sr-only">, {word}</span>
        </span>
      </button>
    </li>
  );
}
