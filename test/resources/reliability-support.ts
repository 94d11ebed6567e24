import { randomUUID } from 'node:crypto';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { parseId } from '../../src/traces/ids.ts';
import { besideServer } from '../support/beside-store.ts';
import type { Tenant, TestServer } from '../support/server.ts';
import { BASE_MS } from '../support/spans.ts';
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
  /** Null: unsure. */
  verdict: boolean | null;
  annotatorId?: string;
  /** Default: the complete trace. */
  evalDefinitionId?: string;
}

const DAY_MS = 86_400_000;

/** Place of the next trace that is drawn. */
let place = 0;

/** Puts verdicts of judges and of people into the store of a server, about traces that it has. */
export function storingVerdicts(server: Pick<TestServer, 'folder' | 'applicationId'>) {
  const inStore = (
    work: (database: Database, application: number) => void,
    tenant: Pick<Tenant, 'applicationId'> = server,
  ): void =>
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, tenant.applicationId);
      database.transaction(() => work(database, application));
    });

  /** Evals of the traces themselves. */
  const judge = (
    { definitionId, traceIds, passed }: Judged,
    more: Partial<SavedEval> = {},
    at = BASE_MS,
  ): void =>
    inStore((database, application) => {
      const evals = traceIds.map((traceId, i) => ({
        ...PENDING_EVAL,
        ...verdict(passed[i] === true),
        id: randomUUID(),
        definitionId,
        traceId: parseId(traceId),
        ...more,
      }));
      saveEvals(database, { application, evals, at });
    });

  const since = Date.now() - DAY_MS;
  let seconds = 0;
  /** What people say, one after the other. */
  const say = (...all: Said[]): void =>
    inStore((database, application) => {
      for (const { traceId, verdict: says, annotatorId = 'ann', evalDefinitionId = null } of all)
        database.run(
          `INSERT INTO human_annotation (id, application, trace_id, verdict, unsure, annotator_id, eval_definition_id, source,
             created_at, modified_at)
           VALUES (:id, :application, :traceId, :verdict, :unsure, :annotatorId, :evalDefinitionId, 'TRACE_PAGE', :at, :at)`,
          {
            id: randomUUID(),
            application,
            traceId: parseId(traceId),
            verdict: says === null ? null : Number(says),
            unsure: Number(says === null),
            annotatorId,
            evalDefinitionId,
            at: since + 1000 * seconds++,
          },
        );
    });

  /** Traces that a queue drew, by default one of their own, in their order. */
  const draw = (
    traceIds: readonly string[],
    selection = 'RANDOM',
    {
      expiresAt = since + 90 * DAY_MS,
      queueId = randomUUID(),
    }: { expiresAt?: number; queueId?: string } = {},
  ): void =>
    inStore((database, application) => {
      for (const traceId of traceIds)
        database.run(
          `INSERT INTO annotation_queue_item (id, application, queue_id, trace_id, selection, completed_at, expires_at, created_at,
             drawn_at, place, weight)
           VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, 1)`,
          randomUUID(),
          application,
          queueId,
          parseId(traceId),
          selection,
          BASE_MS,
          expiresAt,
          selection === 'RANDOM' ? BASE_MS : null,
          selection === 'RANDOM' ? place++ : null,
        );
    });

  return { inStore, judge, say, draw };
}

/** Puts traces, definitions and verdicts into a server. */
export function judging(server: TestServer) {
  const { inStore, judge, say, draw } = storingVerdicts(server);
  const traces = (count: number): Promise<string[]> => annotating(server).traces(count);
  const newDefinition = async (more: object = {}): Promise<string> =>
    (
      await defining(server).definition({
        type: 'CUSTOM',
        globalConfig: { criterion: 'Is it kind?' },
        isOverall: true,
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
