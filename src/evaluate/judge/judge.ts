import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { EndpointWait } from '../../runtime/endpoint-wait.ts';
import { type Paced, PacedSlots } from '../../runtime/paced-slots.ts';
import type { GroupOf } from '../../runtime/party.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { NO_TRACES, type OwnTraces } from '../../runtime/own-traces/traces.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { type TriedOnce, withRetries } from '../retry.ts';
import { readAnswer } from './answer.ts';
import type { JudgeReply } from './call-record.ts';
import { findJudgeCall, judgeCosts, storeJudgeCall } from './calls.ts';
import { openCompare } from './compare.ts';
import type { Compare } from './embeddings.ts';
import { JudgeError } from './judge-error.ts';
import { type Model, openModel } from './model.ts';
import type { ModelResponse } from './model-request.ts';
import { judgeMessages, type Mistake, type Prompt, promptHash } from './prompt.ts';
import { readRecording, writeRecording } from './recordings.ts';
import { extraParameters, type JudgeSettings, type JudgesSettings } from './settings.ts';
import { createJudgeFetch } from './transport.ts';

/** Subject that a question belongs to. */
export interface Asker {
  application: number;
  /** Id of the eval, or of the run whose prompts are written. */
  subjectId: string;
  /** Id of the run; null for a trace without a test. */
  runId: string | null;
  /** Number of the repeat, from 0. */
  repeat: number;
}

/** RequestOutcome of a question: a valid response or the reason why there is none, with the raw text and the cost. */
export type Asked<T> = { reply: JudgeReply | null } & ({ value: T } | { error: JudgeError });

export interface AskOptions {
  signal: AbortSignal;
  /** Called before a question is sent, which waits for it. */
  onBegin?: () => Promise<void>;
  /** Called before each attempt to send a question, which waits for it and is not made if it rejects. */
  beforeSend?: (() => Promise<void>) | undefined;
}

export interface JudgeDeps {
  read: Read;
  write: Write;
  metrics: Pick<
    Metrics,
    | 'judgeCalls'
    | 'judgeTokens'
    | 'judgeCost'
    | 'judgeSeconds'
    | 'judgeSlowDowns'
    | 'judgeRequests'
    | 'judgeLimit'
    | 'judgePause'
    | 'beforeScrape'
  >;
  /** Default: none. */
  traces?: OwnTraces;
  now: () => number;
  /** Returns the organisation of an application. Default: each application is alone. */
  groupOf?: GroupOf;
  /** Called with the cost of each response in US dollars, where a price is known. */
  onCost?: (application: number, dollars: number) => void;
  /** Most US dollars of an organisation. Default: no limits. */
  organisationLimits?: OrganisationCostLimits;
}

export interface OrganisationCostLimits {
  perDay: number | null;
  perMonth: number | null;
}

type Limits = Pick<JudgesSettings, 'dailyCostLimit' | 'runCostLimit' | 'mode' | 'folder'>;

/** A request and its settings, shared by all its attempts. */
interface Ask {
  prompt: Prompt;
  answer: z.ZodType;
  mistake: Mistake | null;
  asker: Asker;
}

/** Place of a response in the store: the hash of its request, and the parameters of that. */
interface Stored {
  hash: string;
  parameters: object;
}

/** A response, and why it may be no answer; see `ModelResponse.problem`. */
interface Answered {
  reply: JudgeReply;
  problem: string | null;
}

/** A judge model. Organisations that wait for it take turns, as do the applications of each. */
export class Judge {
  readonly settings: JudgeSettings;
  private readonly limits: Limits;
  private readonly deps: JudgeDeps;
  private readonly slots: PacedSlots;
  private readonly model: Model;
  private readonly compare: Compare | null;

  constructor(settings: JudgeSettings, limits: Limits, deps: JudgeDeps) {
    this.settings = settings;
    this.limits = limits;
    this.deps = deps;
    const { concurrency: most, maxWaitMs } = settings;
    this.slots = new PacedSlots({ most, maxWaitMs }, deps.groupOf);
    deps.metrics.beforeScrape(() => this.show());
    const fetch = createJudgeFetch(settings);
    this.model = openModel(settings, fetch);
    this.compare = openCompare(settings, fetch);
  }

  /** Returns what evals wait for; null if the endpoint keeps up. */
  waits(): EndpointWait | null {
    return this.slots.waits();
  }

  /** Sets the gauges of the requests and their limits. */
  private show(): void {
    const { metrics } = this.deps;
    const judge = this.settings.name;
    const { atOnce, running, pausedMs } = this.slots.state();
    metrics.judgeRequests.set({ judge, state: 'running' }, running);
    metrics.judgeRequests.set({ judge, state: 'waiting' }, this.slots.waiting);
    metrics.judgeLimit.set({ judge }, atOnce);
    metrics.judgePause.set({ judge }, pausedMs / 1_000);
  }

  /** Returns the parameters that the endpoint rejects and is no longer sent. */
  rejected(): string[] {
    return this.model.rejected();
  }

  /**
   * Sends a request, and a second one when the response does not fit the schema. Does not send a request of a subject
   * again when its response is stored. Rejects only with the reason of the signal, or when the store fails.
   */
  async ask<T>(prompt: Prompt, answer: z.ZodType<T>, asker: Asker, options: AskOptions): Promise<Asked<T>> {
    let reply: JudgeReply | null = null;
    try {
      const { reply: firstReply, problem } = await this.exchange(
        { prompt, answer, mistake: null, asker },
        options,
      );
      reply = firstReply;
      const first = readAnswer(reply.raw, answer);
      if ('value' in first) return { reply, ...first };
      // The same request would meet the same reason again, and cost as much.
      if (problem !== null) throw new JudgeError('judge_bad_answer', problem);
      const mistake = { raw: reply.raw, problem: first.problem };
      const corrected = await this.exchange({ prompt, answer, mistake, asker }, options);
      reply = together(reply, corrected.reply);
      const second = readAnswer(reply.raw, answer);
      if ('value' in second) return { reply, ...second };
      throw new JudgeError(
        'judge_bad_answer',
        corrected.problem ?? `the answer cannot be used, and neither can its correction: ${second.problem}`,
      );
    } catch (error) {
      if (error instanceof JudgeError) return { reply, error };
      throw error;
    }
  }

  /** Returns the stored response to a request, or sends it and stores its response. */
  private async exchange(asked: Ask, options: AskOptions): Promise<Answered> {
    const { prompt, mistake, asker } = asked;
    const { provider, model, temperature, seed, maxOutputTokens, structuredOutput } = this.settings;
    const extra = extraParameters(this.settings);
    const parameters = prompt.isComparison
      ? { provider, model: this.settings.embeddingModel, ...extra }
      : { provider, model, temperature, seed, maxOutputTokens, structuredOutput, ...extra };
    const request = JSON.stringify({ ...parameters, ...prompt, mistake });
    const { application, subjectId, repeat } = asker;
    const hash = createHash('sha256').update(`${repeat} ${request}`).digest('hex');
    const stored = await this.deps.read(findJudgeCall, { application, subjectId, hash });
    const answered = stored
      ? { reply: stored, problem: null }
      : await this.counted(() => this.answered(asked, { hash, parameters }, options));
    const { reply } = answered;
    const { mode, folder } = this.limits;
    // Stored responses are recorded too: an earlier run may have ended before it recorded them.
    if (mode === 'record') await writeRecording(folder as string, { hash, repeat, request, reply });
    return answered;
  }

  private async counted(answered: () => Promise<Answered>): Promise<Answered> {
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

  /** Returns the response to a request, once it is stored. */
  private answered(asked: Ask, to: Stored, options: AskOptions): Promise<Answered> {
    return this.limits.mode === 'replay'
      ? this.replayed(asked, to, options)
      : this.traced(asked, () => this.paid(asked, to, options));
  }

  private async store(asked: Ask, { hash, parameters }: Stored, reply: JudgeReply): Promise<void> {
    const { system, ...prompt } = asked.prompt;
    const request = JSON.stringify({ ...parameters, ...prompt, mistake: asked.mistake });
    const instructions = { hash: promptHash(asked.prompt), system };
    const call = { ...asked.asker, hash, judge: this.settings.name, request, instructions };
    await this.deps.write(storeJudgeCall, { call, reply, at: this.deps.now() });
  }

  private replayed(asked: Ask, to: Stored, { signal, onBegin }: AskOptions): Promise<Answered> {
    const read = async (): Promise<Paced<Answered>> => {
      await onBegin?.();
      const reply = await readRecording(this.limits.folder as string, to.hash);
      await this.store(asked, to, reply);
      return { value: { reply, problem: null }, outcome: { kind: 'other' } };
    };
    return this.slots.run(asked.asker.application, read, signal);
  }

  private async paid(asked: Ask, to: Stored, { signal, onBegin, beforeSend }: AskOptions): Promise<Answered> {
    const send = this.request(asked);
    let [attempts, triedMs] = [0, 0];
    const tryOnce = async (limited: AbortSignal): Promise<TriedOnce<Answered>> => {
      attempts += 1;
      const since = performance.now();
      const { value, problem, pauseMs } = await send(limited)
        .catch((error: unknown) => {
          if (error instanceof JudgeError && error.isBusy)
            this.deps.metrics.judgeSlowDowns.inc({ judge: this.settings.name });
          throw error;
        })
        .finally(() => (triedMs += performance.now() - since));
      const cost = this.costOf(value, asked.prompt);
      const reply = { ...value, cost, latencyMs: Math.round(triedMs), attempts };
      this.measure(reply);
      if (cost !== null) this.deps.onCost?.(asked.asker.application, cost);
      // Before the next request has its turn, whose cost limits count this one.
      await this.store(asked, to, reply);
      return { value: { reply, problem }, pauseMs };
    };
    const { timeoutMs, maxWaitMs } = this.settings;
    return withRetries(tryOnce, {
      slots: this.slots,
      party: asked.asker.application,
      timeoutMs,
      maxWaitMs,
      signal,
      onTurn: async () => {
        await onBegin?.();
        await this.checkCosts(asked.asker);
        await beforeSend?.();
      },
      onTimeout: (message) => new JudgeError('judge_timeout', message),
    });
  }

  /** Runs a request with its retries in a span by OpenTelemetry's conventions for generative AI, without any text. */
  private traced({ prompt }: Ask, send: () => Promise<Answered>): Promise<Answered> {
    const { traces = NO_TRACES } = this.deps;
    const { provider, model, embeddingModel } = this.settings;
    const [operation, requested] = prompt.isComparison
      ? ['embeddings', embeddingModel ?? 'unknown']
      : ['chat', model];
    const attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider === 'anthropic' ? 'anthropic' : 'openai',
      'gen_ai.request.model': requested,
    };
    return traces.child({ name: `${operation} ${requested}`, kind: 'client', attributes }, async (span) => {
      const sent = await send();
      span.set({
        'gen_ai.usage.input_tokens': sent.reply.inputTokens ?? undefined,
        'gen_ai.usage.output_tokens': sent.reply.outputTokens ?? undefined,
        'touchstone.judge.attempts': sent.reply.attempts,
      });
      return sent;
    });
  }

  /** Returns the function that sends a request once. */
  private request({ prompt, answer, mistake, asker }: Ask): (signal: AbortSignal) => Promise<ModelResponse> {
    const { compare } = this;
    if (prompt.isComparison) {
      if (compare === null)
        throw new JudgeError('judge_no_embeddings', 'the judge has no embeddingModel in the settings');
      return (signal) =>
        compare(
          prompt.inputs.map(({ text }) => text),
          signal,
        );
    }
    const { seed } = this.settings;
    const request = {
      system: prompt.system,
      messages: judgeMessages(prompt, mistake),
      answer,
      // With the same seed, the repeats would not be independent.
      seed: seed === null ? null : seed + asker.repeat,
    };
    return (signal) => this.model.send(request, signal);
  }

  private costOf(
    { inputTokens, outputTokens }: Pick<JudgeReply, 'inputTokens' | 'outputTokens'>,
    { isComparison }: Prompt,
  ): number | null {
    const { embeddingPrice } = this.settings;
    const ofEmbeddings = embeddingPrice === null ? null : { input: embeddingPrice, output: 0 };
    const prices = isComparison ? ofEmbeddings : this.settings.prices;
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
    const { read, now, organisationLimits = NO_LIMITS } = this.deps;
    const { perDay, perMonth } = organisationLimits;
    if ([dailyCostLimit, runCostLimit, perDay, perMonth].every((limit) => limit === null)) return;
    const { ofDay, ofRun, ofOrganisation } = await read(judgeCosts, { application, runId, at: now() });
    if (dailyCostLimit !== null && ofDay >= dailyCostLimit)
      throw new JudgeError('judge_cost_limit', 'the cost limit of the day is reached');
    if (runCostLimit !== null && runId !== null && ofRun >= runCostLimit)
      throw new JudgeError('judge_cost_limit', 'the cost limit of the run is reached');
    if (perDay !== null && ofOrganisation.day >= perDay)
      throw new JudgeError('judge_cost_limit', 'the cost limit of the organisation for the day is reached');
    if (perMonth !== null && ofOrganisation.month >= perMonth)
      throw new JudgeError('judge_cost_limit', 'the cost limit of the organisation for the month is reached');
  }
}

const NO_LIMITS: OrganisationCostLimits = { perDay: null, perMonth: null };

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
