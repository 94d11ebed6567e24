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
}

/** Says how many new traces match by now, and pauses that. It has its place beside the filter, so that no row moves. */
export function LiveTail({ isOn, live, onToggle }: LiveTailProps): ReactNode {
  const { newCount, isTruncated, connection, show } = live;
  const hasNew = newCount > 0 || isTruncated;
  useShortcuts([
    { keys: 'l', label: 'Pause or resume the live list', group: 'List', run: () => onToggle(!isOn) },
    ...(hasNew ? [{ keys: 'n', label: 'Show new traces', group: 'List', run: show }] : []),
  ]);
  return (
    <div className="flex shrink-0 items-center gap-2">
      <div aria-live="polite">
        {isOn && hasNew && (
          <Button look="primary" keys="n" onClick={show}>
            {newWords(newCount, isTruncated)}
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
            className={classNames('size-2 rounded-full', connection === 'open' ? 'bg-pass' : 'bg-dim')}
          />
        ) : (
          <Play size={12} aria-hidden="true" />
        )}
        {!isOn ? 'Paused' : connection === 'lost' ? 'Offline' : 'Live'}
        {isOn && <Pause size={12} aria-hidden="true" />}
      </Button>
    </div>
  );
}

function newWords(count: number, isTruncated: boolean): string {
  if (count === 0) return 'New traces match';
  if (isTruncated) return `${formatWhole(count)}+ new traces match`;
  return count === 1 ? '1 new trace matches' : `${formatWhole(count)} new traces match`;
}
