import { randomUUID } from 'node:crypto';
import { withStore } from '../../src/cli/data-folder.ts';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { parseId } from '../../src/traces/ids.ts';
import type { Tenant, TestServer } from '../support/server.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import { PENDING_EVAL, verdict } from '../support/stored-evals.ts';
import { applicationKey } from '../support/stored-tests.ts';
import { annotating } from './annotation-support.ts';
import { defining } from './definition-support.ts';

interface Judged {
  definitionId: string;
  traceIds: readonly string[];
  /** By trace. */
  passed: readonly boolean[];
}

interface Said {
  traceId: string;
  verdict: boolean;
  annotatorId?: string;
}

/** Puts verdicts of judges and of people into the store of a server. */
export function judging(server: TestServer) {
  const inStore = (work: (database: Database, application: number) => void, tenant: Tenant = server): void =>
    withStore(server.folder, (database) => {
      const application = applicationKey(database, tenant.applicationId);
      database.transaction(() => work(database, application));
    });

  /** Evals of the traces themselves. */
  const judge = ({ definitionId, traceIds, passed }: Judged, more: Partial<SavedEval> = {}): void =>
    inStore((database, application) => {
      const evals = traceIds.map((traceId, i) => ({
        ...PENDING_EVAL,
        ...verdict(passed[i] === true),
        id: randomUUID(),
        definitionId,
        traceId: parseId(traceId),
        ...more,
      }));
      saveEvals(database, { application, evals, at: BASE_MS });
    });

  let seconds = 0;
  /** What people say, one after the other. */
  const say = (...all: Said[]): void =>
    inStore((database, application) => {
      for (const { traceId, verdict: says, annotatorId = 'ann' } of all)
        database.run(
          `INSERT INTO human_annotation (id, application, trace_id, verdict, annotator_id, source, created_at, modified_at)
           VALUES (:id, :application, :traceId, :verdict, :annotatorId, 'TRACE_PAGE', :at, :at)`,
          {
            id: randomUUID(),
            application,
            traceId: parseId(traceId),
            verdict: Number(says),
            annotatorId,
            at: BASE_MS + seconds++,
          },
        );
    });

  /** Traces that a queue drew and people have looked at. */
  const draw = (
    traceIds: readonly string[],
    selection = 'RANDOM',
    completedAt: number | null = BASE_MS,
  ): void =>
    inStore((database, application) => {
      for (const traceId of traceIds)
        database.run(
          `INSERT INTO annotation_queue_item (id, application, queue_id, trace_id, selection, completed_at, expires_at, created_at)
           VALUES (?, ?, ?, ?, ?, ?, 0, 0)`,
          randomUUID(),
          application,
          uuid(0x9001),
          parseId(traceId),
          selection,
          completedAt,
        );
    });

  const traces = (count: number): Promise<string[]> => annotating(server).traces(count);
  const newDefinition = async (more: object = {}): Promise<string> =>
    (
      await defining(server).definition({
        type: 'CUSTOM',
        globalConfig: { criterion: 'Is it kind?' },
        ...more,
      })
    ).id;

  /** Traces on which judge and people agree and disagree so often, all drawn at random. */
  async function reported(
    pp: number,
    pf: number,
    fp: number,
    ff: number,
  ): Promise<{ id: string; traceIds: string[] }> {
    const id = await newDefinition();
    const traceIds = await traces(pp + pf + fp + ff);
    judge({ definitionId: id, traceIds, passed: traceIds.map((_trace, i) => i < pp + pf) });
    say(
      ...traceIds.map((traceId, i) => ({ traceId, verdict: i < pp || (i >= pp + pf && i < pp + pf + fp) })),
    );
    draw(traceIds);
    return { id, traceIds };
  }

  return { inStore, judge, say, draw, traces, newDefinition, reported };
}
