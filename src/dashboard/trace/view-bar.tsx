import type { ReactNode, RefObject } from 'react';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { FindBox } from './find-box.tsx';
import { readMode, type TraceState, type TraceView } from './trace-state.ts';
import type { TraceActions } from './use-trace-actions.ts';

interface ViewBarProps {
  state: TraceState;
  change: (patch: Partial<TraceState>) => void;
  view: TraceView;
  hasAnswer: boolean;
  /** Number of spans of the service itself beside those of the app. */
  deliveries: number;
  isPhone: boolean;
  actions: TraceActions;
  findBox: RefObject<HTMLInputElement | null>;
  matches: Uint32Array;
  selected: number;
  /** Menu that copies. */
  copy: ReactNode;
}

const VIEWS = [
  ['transcript', 'Transcript'],
  ['tree', 'Tree'],
  ['graph', 'Agent graph'],
] as const;
const PHONE_VIEWS = [
  ['transcript', 'Transcript'],
  ['tree', 'Steps'],
  ['span', 'Verdicts and details'],
] as const;

/** Finds spans, and chooses how the trace is shown. */
export function ViewBar(props: ViewBarProps): ReactNode {
  const { state, change, view, hasAnswer, deliveries, isPhone, actions, copy } = props;
  const views = (isPhone ? PHONE_VIEWS : VIEWS).filter(([name]) => name !== 'transcript' || hasAnswer);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label="View" className="flex flex-wrap gap-1">
        {views.map(([name, title]) => (
          <Toggle key={name} isOn={view === name} onClick={() => change({ view: name })}>
            {title}
          </Toggle>
        ))}
      </div>
      {!isPhone && (
        <FindBox
          ref={props.findBox}
          value={state.find}
          matches={props.matches}
          selected={props.selected}
          onChange={(find) => change({ find })}
          onMove={actions.toMatch}
        />
      )}
      {deliveries > 0 && (
        <Deliveries count={deliveries} isShown={state.deliveries === 'yes'} change={change} />
      )}
      <div className="ml-auto flex flex-wrap gap-2">
        {!isPhone && <Button onClick={actions.toError}>Next error</Button>}
        {view === 'tree' && <TreeControls state={state} actions={actions} />}
        {copy}
      </div>
    </div>
  );
}

const TreeControls = ({ state, actions }: Pick<ViewBarProps, 'state' | 'actions'>): ReactNode => (
  <>
    <Button onClick={actions.toSlowest}>Slowest path</Button>
    <Toggle isOn={state.steps === 'model'} onClick={actions.toggleLens}>
      Model steps
    </Toggle>
    <Toggle isOn={state.time !== 'rows'} onClick={actions.fitTime}>
      {typeof readMode(state.time) === 'object' ? 'Chosen time' : 'Complete time'}
    </Toggle>
  </>
);

/** Says that spans of the service itself are folded away, and shows them. */
const Deliveries = ({
  count,
  isShown,
  change,
}: {
  count: number;
  isShown: boolean;
  change: ViewBarProps['change'];
}): ReactNode => (
  <Button
    aria-pressed={isShown}
    title="Spans of Touchstone's own attempts to deliver the test"
    onClick={() => change({ deliveries: isShown ? '' : 'yes' })}
  >
    {formatWhole(count)} delivery {count === 1 ? 'span' : 'spans'} {isShown ? 'shown' : 'folded'}
    <span className="font-semibold text-accent">{isShown ? 'fold' : 'show'}</span>
  </Button>
);

interface ToggleProps {
  isOn: boolean;
  onClick: () => void;
  children: ReactNode;
}

const Toggle = ({ isOn, onClick, children }: ToggleProps): ReactNode => (
  <Button look={isOn ? 'chosen' : 'plain'} aria-pressed={isOn} onClick={onClick}>
    {children}
  </Button>
);
