import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { FairSlots } from '../../runtime/fair-slots.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Call } from '../../storage/operations.ts';
import { readAnswer } from './answer.ts';
import type { JudgeReply } from './call-record.ts';
import { JudgeError } from './judge-error.ts';
import { openModel } from './model.ts';
import type { judgeCommands, judgeQueries } from './operations.ts';
import { messagesOf, type Mistake, type Prompt } from './prompt.ts';
import { readRecording, writeRecording } from './recordings.ts';
import { withRetries } from './retry.ts';
import type { JudgeSettings, JudgesSettings } from './settings.ts';

/** Whom a question belongs to. */
export interface Asker {
  application: number;
  evalId: string;
  /** null = no run: a trace that no test asked for. */
  runId: string | null;
  /** From 0. */
  repeat: number;
}

/** What came of a question: an answer that fits or why there is none, and what was said and paid. */
export type Asked<T> = { reply: JudgeReply | null } & ({ value: T } | { error: JudgeError });

export interface AskOptions {
  signal: AbortSignal;
  /** Called before a question is sent, which waits for it. */
  onBegin?: () => Promise<void>;
}

export interface Judge {
  readonly settings: JudgeSettings;
  /**
   * Asks, and once more when the answer does not fit. Applications that wait for the judge take turns. A question of an
   * eval whose answer was stored is not asked again. Rejects only with the reason of the signal, or when the store fails.
   */
  ask<T>(prompt: Prompt, answer: z.ZodType<T>, asker: Asker, options: AskOptions): Promise<Asked<T>>;
}

export interface JudgeDeps {
  read: Call<typeof judgeQueries>;
  write: Call<typeof judgeCommands>;
  metrics: Pick<Metrics, 'judgeCalls' | 'judgeTokens' | 'judgeCost' | 'judgeSeconds'>;
  now: () => number;
}

type Limits = Pick<JudgesSettings, 'dailyCostLimit' | 'runCostLimit' | 'mode' | 'folder'>;

/** Everything that is asked once. */
interface Ask {
  prompt: Prompt;
  answer: z.ZodType;
  mistake: Mistake | null;
  asker: Asker;
}

export function openJudge(settings: JudgeSettings, limits: Limits, deps: JudgeDeps): Judge {
  const { name, provider, model, temperature, seed, maxOutputTokens, structuredOutput, timeoutMs, prices } =
    settings;
  const { mode, folder } = limits;
  const { read, write, metrics, now } = deps;
  const slots = new FairSlots(settings.concurrency);
  const send = openModel(settings);

  async function ask<T>(
    prompt: Prompt,
    answer: z.ZodType<T>,
    asker: Asker,
    options: AskOptions,
  ): Promise<Asked<T>> {
    let reply: JudgeReply | null = null;
    try {
      reply = await exchange({ prompt, answer, mistake: null, asker }, options);
      const first = readAnswer(reply.raw, answer);
      if ('value' in first) return { reply, ...first };
      const mistake = { raw: reply.raw, problem: first.problem };
      reply = together(reply, await exchange({ prompt, answer, mistake, asker }, options));
      const second = readAnswer(reply.raw, answer);
      if ('value' in second) return { reply, ...second };
      throw new JudgeError(
        'judge_bad_answer',
        `the answer cannot be used, nor can its repair: ${second.problem}`,
      );
    } catch (error) {
      if (error instanceof JudgeError) return { reply, error };
      throw error;
    }
  }

  /** One answer, whatever it is: the stored one, else one that is stored before it counts. */
  async function exchange(asked: Ask, options: AskOptions): Promise<JudgeReply> {
    const { prompt, mistake, asker } = asked;
    const { repeat, ...of } = asker;
    const parameters = { provider, model, temperature, seed, maxOutputTokens, structuredOutput };
    const request = JSON.stringify({ ...parameters, ...prompt, mistake });
    const hash = createHash('sha256').update(`${repeat} ${request}`).digest('hex');
    const kept = await read('findJudgeCall', { ...of, hash });
    const reply = kept ?? (await answered(asked, { hash, request }, options));
    // Also what was kept: an earlier run may have ended in between.
    if (mode === 'record') await writeRecording(folder as string, { hash, repeat, request, reply });
    return reply;
  }

  async function answered(
    asked: Ask,
    { hash, request }: { hash: string; request: string },
    { signal, onBegin }: AskOptions,
  ): Promise<JudgeReply> {
    try {
      const exchangeNow = async (): Promise<JudgeReply> => {
        await onBegin?.();
        return mode === 'replay' ? replayed(hash) : paid(asked, signal);
      };
      const reply = await slots.run(asked.asker.application, exchangeNow, signal);
      const call = { ...asked.asker, hash, judge: name, request };
      await write('storeJudgeCall', { call, reply, at: now() });
      metrics.judgeCalls.inc({ judge: name, outcome: mode === 'replay' ? 'replayed' : 'answered' });
      return reply;
    } catch (error) {
      if (error instanceof JudgeError) metrics.judgeCalls.inc({ judge: name, outcome: error.code });
      throw error;
    }
  }

  const replayed = (hash: string): Promise<JudgeReply> => readRecording(folder as string, hash);

  async function paid({ prompt, answer, mistake, asker }: Ask, signal: AbortSignal): Promise<JudgeReply> {
    await checkCosts(asker);
    const startedAt = performance.now();
    const request = {
      system: prompt.system,
      messages: messagesOf(prompt, mistake),
      answer,
      // The same seed would make repeats that are no repeats.
      seed: seed === null ? null : seed + asker.repeat,
    };
    const { value, attempts } = await withRetries((limited) => send(request, limited), { timeoutMs, signal });
    const latencyMs = Math.round(performance.now() - startedAt);
    const { inputTokens, outputTokens } = value;
    const isPriced = prices !== null && inputTokens !== null && outputTokens !== null;
    const cost = isPriced ? (inputTokens * prices.input + outputTokens * prices.output) / 1e6 : null;
    metrics.judgeSeconds.observe({ judge: name }, latencyMs / 1000);
    metrics.judgeTokens.inc({ judge: name, direction: 'input' }, inputTokens ?? 0);
    metrics.judgeTokens.inc({ judge: name, direction: 'output' }, outputTokens ?? 0);
    metrics.judgeCost.inc({ judge: name }, cost ?? 0);
    return { ...value, cost, latencyMs, attempts };
  }

  /** What is under way is not known yet: a limit is overrun by what it costs at most. */
  async function checkCosts({ application, runId }: Asker): Promise<void> {
    const { dailyCostLimit, runCostLimit } = limits;
    if (dailyCostLimit === null && runCostLimit === null) return;
    const { ofDay, ofRun } = await read('judgeCosts', { application, runId, at: now() });
    if (dailyCostLimit !== null && ofDay >= dailyCostLimit)
      throw new JudgeError('judge_cost_limit', 'cost limit of the day reached');
    if (runCostLimit !== null && runId !== null && ofRun >= runCostLimit)
      throw new JudgeError('judge_cost_limit', 'cost limit of the run reached');
  }

  return { settings, ask };
}

/** The second answer, with what both took. */
const together = (first: JudgeReply, second: JudgeReply): JudgeReply => ({
  ...second,
  inputTokens: sum(first.inputTokens, second.inputTokens),
  outputTokens: sum(first.outputTokens, second.outputTokens),
  cost: sum(first.cost, second.cost),
  latencyMs: first.latencyMs + second.latencyMs,
  attempts: first.attempts + second.attempts,
});

const sum = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0);
