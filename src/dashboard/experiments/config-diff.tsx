import type { ReactNode } from 'react';
import type { Variant } from '../../api/generated/schema.ts';
import { WordDiff } from '../ui/word-diff.tsx';
import { changedSettings } from './changed-settings.ts';
import { letterOf } from './words.ts';

/** Shows what each variant changes in the settings of the baseline. */
export function ConfigDiff({ variants }: { variants: readonly Variant[] }): ReactNode {
  const [baseline, ...others] = variants;
  if (baseline === undefined || others.length === 0) return null;
  return (
    <section aria-label="Settings that differ from A" className="min-w-0">
      <h2 className="text-label font-semibold tracking-wide text-dim uppercase">
        Settings that differ from A
      </h2>
      {others.map((variant, index) => {
        const changed = changedSettings(baseline.config, variant.config);
        return (
          <div key={variant.id} className="border-b border-line py-1.5">
            <p>
              <b className="font-semibold">{letterOf(index + 1)}</b> {variant.title}
              {changed.length === 0 && <span className="text-dim"> has the same settings as A</span>}
            </p>
            {changed.map(({ name, before, after }) => (
              <div
                key={name}
                className="grid grid-cols-[minmax(90px,160px)_minmax(0,1fr)] gap-2 max-[720px]:grid-cols-1"
              >
                <span className="truncate text-label leading-[22px] text-dim" title={name}>
                  {name}
                </span>
                <div className="max-h-[88px] overflow-y-auto">
                  <WordDiff a={before} b={after} />
                </div>
              </div>
            ))}
          </div>
        );
      })}
    </section>
  );
}
