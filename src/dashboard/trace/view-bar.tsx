import type { ReactNode, RefObject } from 'react';
import { Button } from '../ui/button.tsx';
import { FindBox } from './find-box.tsx';
import { readMode, type TraceState } from './trace-state.ts';
import type { TraceActions } from './use-trace-actions.ts';

interface ViewBarProps {
  state: TraceState;
  change: (patch: Partial<TraceState>) => void;
  actions: TraceActions;
  findBox: RefObject<HTMLInputElement | null>;
  matches: Uint32Array;
  selected: number;
}

/** Finds spans, and chooses how the trace is shown. */
export function ViewBar({ state, change, actions, findBox, matches, selected }: ViewBarProps): ReactNode {
  const isTree = state.view !== 'graph';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <FindBox
        ref={findBox}
        value={state.find}
        matches={matches}
        selected={selected}
        onChange={(find) => change({ find })}
        onMove={actions.toMatch}
      />
      <Toggle isOn={isTree} onClick={() => change({ view: 'tree' })}>
        Tree
      </Toggle>
      <Toggle isOn={!isTree} onClick={() => change({ view: 'graph' })}>
        Agent graph
      </Toggle>
      <div className="ml-auto flex flex-wrap gap-2">
        <Button keys="e" onClick={actions.toError}>
          Next error
        </Button>
        <Button keys="p" onClick={actions.toSlowest}>
          Slowest path
        </Button>
        <Toggle isOn={state.steps === 'model'} keys="m" onClick={actions.toggleLens}>
          Model steps
        </Toggle>
        <Toggle isOn={state.time !== 'rows'} keys="f" onClick={actions.fitTime}>
          {typeof readMode(state.time) === 'object' ? 'Chosen time' : 'Complete time'}
        </Toggle>
      </div>
    </div>
  );
}

interface ToggleProps {
  isOn: boolean;
  keys?: string;
  onClick: () => void;
  children: ReactNode;
}

const Toggle = ({ isOn, keys, onClick, children }: ToggleProps): ReactNode => (
  <Button
    look={isOn ? 'chosen' : 'plain'}
    aria-pressed={isOn}
    onClick={onClick}
    {...(keys !== undefined && { keys })}
  >
    {children}
  </Button>
);
