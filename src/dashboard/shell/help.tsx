import type { ReactNode } from 'react';
import { type Shortcut, singleKeys, useRegisteredShortcuts } from '../app/shortcuts.ts';
import { useStored } from '../app/stored.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';

/** Lists every key that works on the screen that is open. */
export function Help({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const shortcuts = useRegisteredShortcuts();
  const isOff = useStored(singleKeys) === 'off';
  const groups = Map.groupBy(withoutRepeats(shortcuts), ({ group }) => group);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard">
      <div className="overflow-y-auto p-4 outline-none" tabIndex={0}>
        {isOff && (
          <p className="mb-3 text-dim">Single letters are switched off in the menu of your account.</p>
        )}
        <div className="columns-2 gap-8 max-[600px]:columns-1">
          {[...groups].map(([group, entries]) => (
            <section key={group} className="mb-4 break-inside-avoid">
              <h3 className="mb-1 text-label font-semibold text-dim">{group}</h3>
              <dl>
                {entries.map(({ keys, label }) => (
                  <div key={keys} className="flex items-center gap-3 py-0.5">
                    <dd className="grow">{label}</dd>
                    <dt>
                      <span className="sr-only">{keys}</span>
                      <Kbd keys={keys} />
                    </dt>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

const withoutRepeats = (shortcuts: readonly Shortcut[]): Shortcut[] => [
  ...new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut])).values(),
];
