import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { FairSlots } from '../../runtime/fair-slots.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Call } from '../../storage/operations.ts';
import { readAnswer } from './answer.ts';
import type { JudgeReply } from './call-record.ts';
import { JudgeError } from './judge-error.ts';
import { type Model, openModel } from './model.ts';
import type { judgeCommands, judgeQueries } from './operations.ts';
import { messagesOf, type Mistake, type Prompt } from './prompt.ts';
import { readRecording, writeRecording } from './recordings.ts';
import { withRetries } from './retry.ts';
import type { JudgeSettings, JudgesSettings } from './settings.ts';

/** Eval that a question belongs to. */
export interface Asker {
  application: number;
  evalId: string;
  /** Id of the run; null for a trace without a test. */
  runId: string | null;
  /** Number of the repeat, from 0. */
  repeat: number;
}

/** Outcome of a question: a valid response or the reason why there is none, with the raw text and the cost. */
export type Asked<T> = { reply: JudgeReply | null } & ({ value: T } | { error: JudgeError });

export interface AskOptions {
  signal: AbortSignal;
  /** Called before a question is sent, which waits for it. */
  onBegin?: () => Promise<void>;
}

export interface JudgeDeps {
  read: Call<typeof judgeQueries>;
  write: Call<typeof judgeCommands>;
  metrics: Pick<Metrics, 'judgeCalls' | 'judgeTokens' | 'judgeCost' | 'judgeSeconds'>;
  now: () => number;
}

type Limits = Pick<JudgesSettings, 'dailyCostLimit' | 'runCostLimit' | 'mode' | 'folder'>;

/** A request and its settings, shared by all its attempts. */
interface Ask {
  prompt: Prompt;
  answer: z.ZodType;
  mistake: Mistake | null;
  asker: Asker;
}

/** A judge model. Applications that wait for it take turns. */
export class Judge {
  readonly settings: JudgeSettings;
  private readonly limits: Limits;
  private readonly deps: JudgeDeps;
  private readonly slots: FairSlots;
  private readonly model: Model;

  constructor(settings: JudgeSettings, limits: Limits, deps: JudgeDeps) {
    this.settings = settings;
    this.limits = limits;
    this.deps = deps;
    this.slots = new FairSlots(settings.concurrency);
    this.model = openModel(settings);
  }

  /** Returns the parameters that the endpoint rejects and is no longer sent. */
  rejected(): string[] {
    return this.model.rejected();
  }

  /**
   * Sends a request, and a second one when the response does not fit the schema. Does not send a request of an eval
   * again when its response is stored. Rejects only with the reason of the signal, or when the store fails.
   */
  async ask<T>(prompt: Prompt, answer: z.ZodType<T>, asker: Asker, options: AskOptions): Promise<Asked<T>> {
    let reply: JudgeReply | null = null;
    try {
      reply = await this.exchange({ prompt, answer, mistake: null, asker }, options);
      const first = readAnswer(reply.raw, answer);
      if ('value' in first) return { reply, ...first };
      const mistake = { raw: reply.raw, problem: first.problem };
      reply = together(reply, await this.exchange({ prompt, answer, mistake, asker }, options));
      const second = readAnswer(reply.raw, answer);
      if ('value' in second) return { reply, ...second };
      throw new JudgeError(
        'judge_bad_answer',
        `the answer cannot be used, and neither can its correction: ${second.problem}`,
      );
    } catch (error) {
      if (error instanceof JudgeError) return { reply, error };
      throw error;
    }
  }

  /** Returns the stored response to a request, or sends it and stores its response. */
  private async exchange(asked: Ask, options: AskOptions): Promise<JudgeReply> {
    const { prompt, mistake, asker } = asked;
    const { provider, model, temperature, seed, maxOutputTokens, structuredOutput } = this.settings;
    const parameters = { provider, model, temperature, seed, maxOutputTokens, structuredOutput };
    const request = JSON.stringify({ ...parameters, ...prompt, mistake });
    const { repeat, ...of } = asker;
    const hash = createHash('sha256').update(`${repeat} ${request}`).digest('hex');
    const stored = await this.deps.read('findJudgeCall', { ...of, hash });
    const reply = stored ?? (await this.counted(() => this.answered(asked, { hash, request }, options)));
    const { mode, folder } = this.limits;
    // Stored responses are recorded too: an earlier run may have ended before it recorded them.
    if (mode === 'record') await writeRecording(folder as string, { hash, repeat, request, reply });
    return reply;
  }

  private async counted(answered: () => Promise<JudgeReply>): Promise<JudgeReply> {
    const count = (outcome: string): void =>
      this.deps.metrics.judgeCalls.inc({ judge: this.settings.name, outcome });
    try {
      const reply = await answered();
      count(this.limits.mode === 'replay' ? 'replayed' : 'answered');
      return reply;
    } catch (error) {
      if (error instanceof JudgeError) count(error.code);
      throw error;
    }
  }

  /** Stores a response; it counts only once it is stored. */
  private async answered(
    asked: Ask,
    { hash, request }: { hash: string; request: string },
    { signal, onBegin }: AskOptions,
  ): Promise<JudgeReply> {
    const { mode, folder } = this.limits;
    const exchangeNow = async (): Promise<JudgeReply> => {
      await onBegin?.();
      return mode === 'replay' ? readRecording(folder as string, hash) : this.paid(asked, signal);
    };
    const reply = await this.slots.run(asked.asker.application, exchangeNow, signal);
    const call = { ...asked.asker, hash, judge: this.settings.name, request };
    await this.deps.write('storeJudgeCall', { call, reply, at: this.deps.now() });
    return reply;
  }

  private async paid({ prompt, answer, mistake, asker }: Ask, signal: AbortSignal): Promise<JudgeReply> {
    await this.checkCosts(asker);
    const { seed, timeoutMs } = this.settings;
    const startedAt = performance.now();
    const request = {
      system: prompt.system,
      messages: messagesOf(prompt, mistake),
      answer,
      // With the same seed, the repeats would not be independent.
      seed: seed === null ? null : seed + asker.repeat,
    };
    const sent = await withRetries((limited) => this.model.send(request, limited), { timeoutMs, signal });
    const latencyMs = Math.round(performance.now() - startedAt);
    const reply = { ...sent.value, cost: this.costOf(sent.value), latencyMs, attempts: sent.attempts };
    this.measure(reply);
    return reply;
  }

  private costOf({
    inputTokens,
    outputTokens,
  }: Pick<JudgeReply, 'inputTokens' | 'outputTokens'>): number | null {
    const { prices } = this.settings;
    if (prices === null || inputTokens === null || outputTokens === null) return null;
    return (inputTokens * prices.input + outputTokens * prices.output) / 1e6;
  }

  private measure({ inputTokens, outputTokens, cost, latencyMs }: JudgeReply): void {
    const { metrics } = this.deps;
    const judge = this.settings.name;
    metrics.judgeSeconds.observe({ judge }, latencyMs / 1000);
    metrics.judgeTokens.inc({ judge, direction: 'input' }, inputTokens ?? 0);
    metrics.judgeTokens.inc({ judge, direction: 'output' }, outputTokens ?? 0);
    metrics.judgeCost.inc({ judge }, cost ?? 0);
  }

  /**
   * Checks the cost limits. The cost of requests in progress is unknown, so a limit may be exceeded by at most that.
   */
  private async checkCosts({ application, runId }: Asker): Promise<void> {
    const { dailyCostLimit, runCostLimit } = this.limits;
    if (dailyCostLimit === null && runCostLimit === null) return;
    const { read, now } = this.deps;
    const { ofDay, ofRun } = await read('judgeCosts', { application, runId, at: now() });
    if (dailyCostLimit !== null && ofDay >= dailyCostLimit)
      throw new JudgeError('judge_cost_limit', 'the cost limit of the day is reached');
    if (runCostLimit !== null && runId !== null && ofRun >= runCostLimit)
      throw new JudgeError('judge_cost_limit', 'the cost limit of the run is reached');
  }
}

/** Returns the second answer, with the cost and usage of both. */
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
