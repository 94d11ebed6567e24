import { Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import type { LiveList } from './use-live-list.ts';

interface LiveTailProps {
  isOn: boolean;
  live: LiveList;
  onToggle: (isOn: boolean) => void;
  onShow: () => void;
}

/** Says how many new traces match by now, and pauses that. It has its place beside the filter, so that no row moves. */
export function LiveTail({ isOn, live, onToggle, onShow }: LiveTailProps): ReactNode {
  const { newCount, isTruncated, isConnected } = live;
  useShortcuts([
    { keys: 'l', label: 'Pause or resume the live list', group: 'List', run: () => onToggle(!isOn) },
    ...(newCount > 0 ? [{ keys: 'n', label: 'Show new traces', group: 'List', run: onShow }] : []),
  ]);
  const name = newCount === 1 && !isTruncated ? 'trace matches' : 'traces match';
  return (
    <div className="flex shrink-0 items-center gap-2">
      <div aria-live="polite">
        {isOn && newCount > 0 && (
          <Button look="primary" keys="n" onClick={onShow}>
            {isTruncated ? 'More than ' : ''}
            {formatWhole(newCount)} new {name}
          </Button>
        )}
      </div>
      <Button
        aria-pressed={isOn}
        keys="l"
        title={isOn ? 'Pause: the list stays as it is' : 'Follow new traces'}
        onClick={() => onToggle(!isOn)}
      >
        {isOn ? (
          <span
            aria-hidden="true"
            className={classNames('size-2 rounded-full', isConnected ? 'bg-pass' : 'bg-dim')}
          />
        ) : (
          <Play size={12} aria-hidden="true" />
        )}
        {isOn ? 'Live' : 'Paused'}
        {isOn && <Pause size={12} aria-hidden="true" />}
      </Button>
    </div>
  );
}
