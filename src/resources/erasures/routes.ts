import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import type { Storage } from '../../storage/storage.ts';
import { createErasure, getErasure, listErasures } from './calls.ts';
import { createErasureBody, erasure, erasuresQuery, type MadeCopy } from './contract.ts';
import { exampleErasure } from './example.ts';
import { otherFormsOf } from './other-forms.ts';
import { runErasure } from './run.ts';

/** Time after which the response is sent, although traces are left; the service then deletes them. */
const PATIENCE_MS = 10_000;

export interface ErasureDeps extends StoreCalls {
  /** Called when traces are left to delete. */
  onErasurePending: () => void;
  clearRemains: Storage['clearRemains'];
  findSnapshots: () => MadeCopy[];
  /** Returns the forms that masking gives an id of a user or a session. */
  maskedForms: (application: number, id: string) => Promise<string[]>;
}

export function erasureRoutes({
  read,
  write,
  now,
  onErasurePending,
  clearRemains,
  findSnapshots,
  maskedForms,
}: ErasureDeps): Route[] {
  const erasures = recordRoutes({
    path: '/v0/erasures',
    group: 'Retention',
    record: erasure,
    example: exampleErasure,
    now,
    scope: 'admin',
  });
  return [
    erasures.create({
      operationId: 'createErasure',
      summary: 'Erase a user or a session',
      description:
        'Deletes all traces whose user or session has this id, everything that quotes them, and what was copied from them: examples, with the texts of their tests, titles of tasks, saved views that filter by the id, and filter lines of issues that name it. The masked form of the id is erased too. The response is the receipt; it is `PENDING` if this takes longer than 10 s. Backups and exports are not changed; the receipt names those that were made before.',
      body: createErasureBody,
      example: { body: { userId: 'user-4711' } },
      handler: async ({ owner, id, fields: { userId, sessionId }, at }, { actor }) => {
        const subject =
          userId === undefined
            ? ({ subjectType: 'session', value: sessionId ?? '' } as const)
            : ({ subjectType: 'user', value: userId } as const);
        const { application } = owner;
        const otherForms = await otherFormsOf(subject.value, (form) => maskedForms(application, form));
        await write(createErasure, { owner, id, subject: { ...subject, otherForms }, actor, at });
        const isLate = (): boolean => now() > at + PATIENCE_MS;
        const deps = { write, now, clearRemains, findSnapshots, isStopped: isLate };
        let isDone = false;
        try {
          isDone = await runErasure(deps, { application, id });
        } finally {
          if (!isDone) onErasurePending();
        }
        return read(getErasure, { owner, id });
      },
    }),
    erasures.list({
      operationId: 'listErasures',
      summary: 'List the receipts of erasures',
      query: erasuresQuery,
      handler: (args) => read(listErasures, args),
    }),
    erasures.get({
      operationId: 'getErasure',
      summary: 'Get the receipt of an erasure',
      handler: (args) => read(getErasure, args),
    }),
  ];
}
