import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../runtime/make-folder.ts';
import type { JudgeReply } from './call-record.ts';
import { JudgeError } from './judge-error.ts';

const count = z.number().min(0).nullable();
const recording = z.object({
  reply: z.object({
    raw: z.string(),
    model: z.string(),
    fingerprint: z.string().nullable().default(null),
    inputTokens: count,
    outputTokens: count,
    latencyMs: z.number().min(0),
    attempts: z.int().min(1),
  }),
});

const pathOf = (folder: string, hash: string): string => join(folder, `${hash}.json`);

/**
 * Stores a request and its response for `readRecording`. Contains only those settings that are part of the request.
 */
export async function writeRecording(
  folder: string,
  { hash, repeat, request, reply }: { hash: string; repeat: number; request: string; reply: JudgeReply },
): Promise<void> {
  const { cost: _, ...kept } = reply;
  const text = JSON.stringify({ repeat, request: JSON.parse(request) as unknown, reply: kept }, null, 2);
  const path = pathOf(folder, hash);
  const unfinished = `${path}.${randomUUID()}.tmp`;
  makeFolder(folder);
  await writeFile(unfinished, `${text}\n`);
  await rename(unfinished, path);
}

/** Reads a recorded response, at no cost. Throws JudgeError when there is no such file. */
export async function readRecording(folder: string, hash: string): Promise<JudgeReply> {
  const path = pathOf(folder, hash);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new JudgeError(
      'judge_not_recorded',
      `there is no recording ${hash}.json; run once with judge mode "record", the same judge and the same input, and keep the file`,
    );
  }
  const parsed = recording.safeParse(parse(text));
  if (!parsed.success)
    throw new JudgeError(
      'judge_not_recorded',
      `the file ${hash}.json is not a valid recording; record it again`,
    );
  return { ...parsed.data.reply, cost: 0 };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
