import type { ReactNode } from 'react';
import type { AttentionItem } from '../../api/generated/schema.ts';
import type { Href } from '../app/paths.ts';
import { AppLink } from '../app/url.tsx';
import { useAttention } from '../shell/use-attention.ts';
import { classNames } from '../ui/class-names.ts';
import { Loaded, Section } from '../ui/panel.tsx';

/** Sign of each kind, its colour, and what is done on the page that it leads to. */
const KINDS: Readonly<
  Record<AttentionItem['kind'], readonly [sign: string, colour: string, action: string]>
> = {
  SENDERS: ['!', 'text-fail', 'Health'],
  WEBHOOK: ['!', 'text-fail', 'Webhook'],
  ISSUES: ['▲', 'text-fail', 'Open'],
  ISSUES_REOPENED: ['↺', 'text-fail', 'Open'],
  REVIEW: ['●', 'text-accent', 'Review'],
  EVALUATOR: ['?', 'text-doubt', 'Measure'],
  ISSUE_WITHOUT_EVALUATOR: ['✕', 'text-dim', 'Choose'],
};

/** Lists what someone has to do, each with the page where it is done. */
export const NeedsAttention = (): ReactNode => (
  <Section title="Needs attention">
    <Loaded of={useAttention()}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="border-t border-line py-2 text-dim">Nothing needs you now.</p>
        ) : (
          <ul>
            {data.map((item) => (
              <Need key={`${item.kind} ${item.href} ${item.title}`} {...item} />
            ))}
          </ul>
        )
      }
    </Loaded>
  </Section>
);

function Need({ kind, title, detail, href }: AttentionItem): ReactNode {
  const [sign, colour, action] = KINDS[kind];
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-start gap-x-2 border-t border-line py-2">
      <span aria-hidden="true" className={classNames('text-center font-bold', colour)}>
        {sign}
      </span>
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{title}</p>
        {detail !== '' && (
          <p className="line-clamp-2 text-label text-dim [overflow-wrap:anywhere]" title={detail}>
            {detail}
          </p>
        )}
      </div>
      <AppLink href={href as Href} aria-label={`${action}: ${title}`} className="text-accent underline">
        {action}
      </AppLink>
    </li>
  );
}
