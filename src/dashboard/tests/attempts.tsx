import type { ReactNode } from 'react';
import type { ListedDelivery, Test } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatBytes } from '../format/number.ts';
import { formatDuration, formatMoment } from '../format/time.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { DeliveryOutcome } from '../webhook/outcome.tsx';
import { useAttempts, useDelivery } from './use-attempts.ts';

const HEAD = 'h-[28px] border-b border-line px-1.5 text-label font-normal text-dim first:pl-0 last:pr-0';
const CELL = 'h-[30px] border-b border-line px-1.5 first:pl-0 last:pr-0';

/** Lists the attempts to deliver a test, with the time that each step took. */
export function Attempts({ test }: { test: Test }): ReactNode {
  const attempts = useAttempts(test);
  return (
    <Section title="Delivery">
      <Loaded of={attempts}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="py-2 text-dim">The test has not been sent.</p>
          ) : (
            <div className="overflow-x-auto">
              <table aria-label="Attempts" className="w-full min-w-[620px]">
                <thead>
                  <tr className="text-right">
                    <th scope="col" className={`${HEAD} text-left`}>
                      Attempt
                    </th>
                    <th scope="col" className={`${HEAD} text-left`}>
                      Sent
                    </th>
                    <th scope="col" className={`${HEAD} text-left`}>
                      Result
                    </th>
                    {TIMINGS.map(([name, title]) => (
                      <th key={name} scope="col" className={HEAD}>
                        {title}
                      </th>
                    ))}
                    <th scope="col" className={HEAD}>
                      Sent / received
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((attempt) => (
                    <Attempt key={attempt.id} attempt={attempt} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

const TIMINGS = [
  ['dnsMs', 'DNS'],
  ['connectMs', 'Connect'],
  ['tlsMs', 'TLS'],
  ['headersMs', 'First byte'],
  ['totalMs', 'Total'],
] as const;

function Attempt({ attempt }: { attempt: ListedDelivery }): ReactNode {
  const { id, attempt: number, replayOf, sentAt, timings, outcome } = attempt;
  const bodies = useDelivery(id, outcome).data?.data;
  return (
    <tr className="text-right">
      <td className={`${CELL} text-left`}>
        <AppLink href={`/webhook?tab=deliveries&delivery=${id}`} className="text-accent underline">
          {number}
          {replayOf !== null && ' (replay)'}
        </AppLink>
      </td>
      <td className={`${CELL} text-left text-dim`}>
        <time dateTime={sentAt} title={sentAt}>
          {formatMoment(sentAt)}
        </time>
      </td>
      <td className={`${CELL} text-left`}>
        <DeliveryOutcome delivery={attempt} />
      </td>
      {TIMINGS.map(([name]) => (
        <td key={name} className={CELL}>
          {timings?.[name] === undefined ? (
            <span className="text-dim">–</span>
          ) : (
            formatDuration(timings[name])
          )}
        </td>
      ))}
      <td className={CELL}>
        {bodies ? (
          <>
            {formatBytes(sizeOf(bodies.request))} /{' '}
            {bodies.response ? formatBytes(sizeOf(bodies.response)) : '–'}
          </>
        ) : (
          '…'
        )}
      </td>
    </tr>
  );
}

/** Returns the number of bytes of a body. */
const sizeOf = ({ body, encoding }: { body: string; encoding: 'utf8' | 'base64' }): number =>
  encoding === 'base64' ? Math.floor((body.length * 3) / 4) : new TextEncoder().encode(body).length;
