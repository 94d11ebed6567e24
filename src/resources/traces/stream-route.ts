import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import type { OpenStream } from '../../runtime/event-streams.ts';
import { pauseUnless } from '../../runtime/open-calls.ts';
import type { Read } from '../../storage/calls.ts';
import { changedTraces, tracesChangedSince } from '../../traces/calls.ts';
import type { TraceFeed } from '../../traces/trace-feed.ts';
import { filterOf, filterQuery } from './contract.ts';
import { exampleListedTrace } from './example.ts';
import { resumedSince, TRACE_STREAMS, traceEvents } from './stream.ts';
import { listedTrace } from './trace-record.ts';

export interface StreamTracesDeps {
  read: Read;
  now: () => number;
  openStream: OpenStream;
  traceFeed: TraceFeed;
}

export const streamTracesRoute = ({ read, now, openStream, traceFeed }: StreamTracesDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/traces/stream',
    operationId: 'streamTraces',
    group: 'Traces',
    summary: 'Stream new traces',
    description:
      'Server-Sent Events: `open` at once, then `trace` with each trace that is new or has grown and meets the filters, as lists show it, from the commit of its spans; a trace may appear several times. `missed` means that some changes were left out, because more arrived than the client has read: read the list again. With `Last-Event-ID`, changes since that event are repeated, as far as they concern the newest 1000 traces; `missed` has `isRepeat: true` if older traces have probably changed too. A stream lasts at most 15 minutes, and ends when its caller may no longer read traces. An application may have 25 open streams.',
    scope: 'read',
    query: filterQuery,
    response: 'events',
    documents: { response: listedTrace },
    example: {
      response: `event: trace\nid: 1775044800000\ndata: ${JSON.stringify(exampleListedTrace)}\n\n`,
    },
    requestHeaders: { 'last-event-id': 'Id of the last event that the client has received.' },
    errors: ['rate_limited', 'unavailable'],
    handler: async ({ principal, query, headers, revoked }) => {
      const owner = ownerOf(principal);
      const filter = filterOf(query, principal, now());
      const { application } = principal;
      const { waiting, close } = traceFeed.open(application);
      try {
        const since = resumedSince(headers['last-event-id'], now());
        const repeat = since === null ? null : await read(tracesChangedSince, { application, since });
        if (repeat !== null) waiting.add(Buffer.concat(repeat.traceIds), false);
        const stream = openStream(TRACE_STREAMS, { application, revoked }, (isStopped) =>
          traceEvents({
            waiting,
            isRepeatComplete: repeat?.isComplete ?? true,
            read: (traceIds) => read(changedTraces, { ...owner, filter, traceIds }),
            now,
            pause: (milliseconds) => pauseUnless(revoked, milliseconds),
            isStopped,
          }),
        );
        return stream.once('close', close);
      } catch (error) {
        close();
        throw error;
      }
    },
  });
