import { expect, it } from 'vitest';
import { effort } from '../support/effort.ts';
import { runChaos } from './run.ts';

const SECONDS = effort(30);
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);

it(`loses, doubles and miscounts nothing in ${SECONDS} seconds of chaos (CHAOS_SEED=${seed})`, async () => {
  const events: string[] = [];
  const { differences, senders, tests, did } = await runChaos({
    seconds: SECONDS,
    seed,
    print: (line) => events.push(line),
  });
  expect(differences, events.join('\n')).toEqual([]);
  expect(tests['COMPLETED']).toBeGreaterThan(0);
  for (const [sender, { acknowledged }] of Object.entries(senders))
    expect(acknowledged, sender).toBeGreaterThan(0);
  const { 'backups that were not possible': _, ...needed } = did;
  for (const [what, times] of Object.entries(needed)) expect(times, what).toBeGreaterThan(0);
}, 1_200_000);
