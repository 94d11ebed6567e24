import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChildServer, newPresets } from './child-server.ts';
import type { StandInJudge } from './stand-in-judge.ts';

/** Returns a function that starts a server with one judge; each time it is called, over the same store in `folder`. */
export function judgedServerIn(
  folder: string,
  { openAi }: StandInJudge,
  concurrency: number,
): () => Promise<ChildServer> {
  const judgesFile = join(folder, 'judges.json');
  const only = { provider: 'openai-compatible', baseUrl: openAi, model: 'stand-in', concurrency };
  writeFileSync(judgesFile, JSON.stringify({ judges: { only } }));
  const env = {
    TOUCHSTONE_QUIET_MS: '100',
    TOUCHSTONE_ORPHAN_QUIET_MS: '200',
    TOUCHSTONE_JUDGES_FILE: judgesFile,
  };
  const presets = newPresets();
  return () => ChildServer.start({ dataDir: join(folder, 'data'), presets, env });
}
