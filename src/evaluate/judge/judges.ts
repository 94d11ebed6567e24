import { createHash } from 'node:crypto';
import type { EndpointWait } from '../../runtime/endpoint-wait.ts';
import { allOf } from '../../runtime/all-of.ts';
import type { JudgedEvaluator, AppliedDefinition, Verdict } from '../evaluator.ts';
import type { Subject } from '../subject.ts';
import type { JudgeReply } from './call-record.ts';
import { type Asker, type AskOptions, Judge, type JudgeDeps } from './judge.ts';
import type { JudgeError } from './judge-error.ts';
import { truncatedTexts, PROMPT_VERSION, promptHash } from './prompt.ts';
import { extraParameters, type JudgeSettings, type JudgesSettings } from './settings.ts';
import { type Exchange, takeVote, type Vote } from './votes.ts';

/** Record of a judgement, stored for inspection. */
export interface JudgeRecord {
  /** Name of the judge in the settings. */
  judge: string;
  provider: JudgeSettings['provider'];
  baseUrl: string;
  /** Model as requested. */
  model: string;
  parameters: Pick<JudgeSettings, 'temperature' | 'seed' | 'maxOutputTokens' | 'structuredOutput'> & {
    repeats: number;
    /** Parameters that the endpoint rejects, which were left out. */
    rejected: readonly string[];
  };
  promptVersion: number;
  /** Hash of the instructions of the first question; see `promptHash`. */
  promptHash: string;
  /**
   * SHA-256, in hex, of all that decides how this judge judges: provider, base URL, model, what served the responses,
   * parameters, repeats, the words of the prompts, and the type, configuration and style guide of the definition.
   */
  judgeVersion: string;
  /** Models and configurations that served the responses, as these report them. */
  served: readonly Served[];
  /** Names of the texts that the judge did not see completely. */
  cut: readonly string[];
  /** Responses in order, with the repeat and the prompt of each. Responses that never came are missing. */
  repeats: readonly (JudgeReply & { repeat: number; promptHash: string })[];
  /** Repeats without a usable answer. */
  lost: readonly { repeat: number; reason: string }[];
  /** Share of the answers that agree with the majority; null when there is no verdict. */
  agreement: number | null;
}

type Served = Pick<JudgeReply, 'model' | 'fingerprint'>;

/** Eval that requests belong to. */
export type JudgedEval = Omit<Asker, 'repeat'>;

export interface Judges {
  /** Default judge; null when there is none. */
  readonly first: Judge | null;
  /** Judges, and how many requests each accepts at once. */
  readonly queues: readonly Pick<JudgeSettings, 'name' | 'concurrency'>[];
  /** Returns what evals of a judge wait for; null if it keeps up. */
  waitOf(name: string): EndpointWait | null;
  /** Returns the judge in `config.judge` of the definition, else the default one; null when there is none. */
  nameFor(definition: Pick<AppliedDefinition, 'config'>): string | null;
  /**
   * Sends the question as often as the applied definition requires, and decides. Every failure of the judge becomes a
   * verdict. Rejects only with the reason of the signal, or when the store or a recording fails. A second call for
   * the same eval does not repeat requests whose response is stored. `record` is null when no request was sent.
   */
  evaluate(
    definition: AppliedDefinition,
    subject: Subject,
    evaluator: JudgedEvaluator,
    judged: JudgedEval,
    options: AskOptions,
  ): Promise<{ verdict: Verdict; record: JudgeRecord | null }>;
}

export function createJudges(settings: JudgesSettings, deps: JudgeDeps): Judges {
  const judges = new Map(settings.judges.map((judge) => [judge.name, new Judge(judge, settings, deps)]));
  const namedBy = ({ config }: Pick<AppliedDefinition, 'config'>): string | null =>
    typeof config['judge'] === 'string' ? config['judge'] : settings.default;
  const skipped = (reason: string): { verdict: Verdict; record: null } => {
    return { verdict: { status: 'SKIPPED', reason }, record: null };
  };
  return {
    first: judges.get(settings.default ?? '') ?? null,
    queues: settings.judges,
    waitOf: (name) => judges.get(name)?.waits() ?? null,
    nameFor: (definition) => {
      const name = namedBy(definition);
      return name !== null && judges.has(name) ? name : null;
    },
    evaluate: async (definition, subject, evaluator, judged, options) => {
      const inquiry = evaluator.inquiry(subject, definition);
      if ('fail' in inquiry) return { verdict: failed(inquiry), record: null };
      const name = namedBy(definition);
      if (name === null) return skipped('no judge is configured');
      const judge = judges.get(name);
      if (!judge) return skipped(`no judge is configured with the name ${JSON.stringify(name.slice(0, 80))}`);
      if ('skip' in inquiry) return skipped(inquiry.skip);
      const votes = await allOf(
        Array.from({ length: definition.repeats }, (_, repeat) =>
          takeVote(judge, inquiry, { ...judged, repeat }, options),
        ),
      );
      const cut = truncatedOf(votes, subject);
      const verdict = verdictOf(
        votes,
        cut,
        (answers) => evaluator.decide(answers, definition, subject),
        name,
      );
      return { verdict, record: recordOf(judge, definition, { votes, cut, verdict }) };
    },
  };
}

const failed = ({ fail, score }: { fail: string; score: number }): Verdict => ({
  status: 'COMPLETED',
  score,
  normalised: 0,
  passed: false,
  results: {},
  reason: fail,
});

const truncatedOf = (votes: readonly Vote<unknown>[], subject: Subject): string[] => {
  const texts = votes.flatMap(({ exchanges }) => exchanges.flatMap(({ prompt }) => truncatedTexts(prompt)));
  return [...new Set([...texts, ...(subject.isTruncated ? ['the trace'] : [])])];
};

/** Decides by the votes that have an answer, unless the lost ones could turn the majority. */
function verdictOf<T>(
  votes: readonly Vote<T>[],
  cut: readonly string[],
  decide: (answers: readonly T[]) => Verdict,
  judge: string,
): Verdict {
  const answers = votes.flatMap((vote) => ('answer' in vote ? [vote.answer] : []));
  const [error] = votes.flatMap((vote) => ('error' in vote ? [vote.error] : []));
  const verdict = answers.length === 0 ? null : decide(answers);
  if (error && !(verdict && isDecided(verdict, answers.length, votes.length)))
    return withoutVerdict(error, judge);
  if (verdict?.status !== 'COMPLETED') return verdict as Verdict;
  const lostVotes = votes.length - answers.length;
  const results = { ...verdict.results, ...(cut.length > 0 && { cut }), ...(lostVotes > 0 && { lostVotes }) };
  return { ...verdict, results };
}

/** Reports whether more than half of all votes agree. */
const isDecided = (verdict: Verdict, answers: number, votes: number): boolean =>
  verdict.status === 'COMPLETED' && Math.round(agreementOf(verdict) * answers) * 2 > votes;

const agreementOf = (verdict: Verdict): number =>
  verdict.status === 'COMPLETED' ? Number(verdict.results['agreement']) : 0;

const withoutVerdict = (error: JudgeError, judge: string): Verdict =>
  error.code === 'judge_cost_limit' || error.code === 'judge_no_embeddings'
    ? { status: 'SKIPPED', reason: error.message }
    : { status: 'FAILED', reason: reasonOf(error, judge) };

const reasonOf = ({ code, message }: JudgeError, judge: string): string =>
  `${code}: ${message} (judge ${judge})`;

function recordOf(
  judge: Judge,
  definition: AppliedDefinition,
  { votes, cut, verdict }: { votes: readonly Vote<unknown>[]; cut: readonly string[]; verdict: Verdict },
): JudgeRecord {
  const { name, provider, baseUrl, temperature, seed, maxOutputTokens, structuredOutput } = judge.settings;
  const { prompt: first } = (votes[0] as Vote<unknown>).exchanges[0] as Exchange;
  const model = (first.isComparison && judge.settings.embeddingModel) || judge.settings.model;
  const parameters = {
    temperature,
    seed,
    maxOutputTokens,
    structuredOutput,
    repeats: votes.length,
    ...extraParameters(judge.settings),
  };
  const { type, styleGuide } = definition;
  const { judge: _judge, monitoring: _monitoring, ...config } = definition.config;
  const replies = votes.flatMap(({ repeat, exchanges }) =>
    exchanges.flatMap(({ prompt, reply }) =>
      reply ? [{ ...reply, repeat, promptHash: promptHash(prompt) }] : [],
    ),
  );
  const served = servedBy(replies);
  const decisive = { provider, baseUrl, model, served, parameters, PROMPT_VERSION, type, config, styleGuide };
  return {
    judge: name,
    provider,
    baseUrl,
    model,
    parameters: { ...parameters, rejected: judge.rejected() },
    promptVersion: PROMPT_VERSION,
    promptHash: promptHash(first),
    judgeVersion: createHash('sha256').update(JSON.stringify(decisive)).digest('hex'),
    served,
    cut,
    repeats: replies,
    lost: votes.flatMap((vote) =>
      'error' in vote ? [{ repeat: vote.repeat, reason: reasonOf(vote.error, name) }] : [],
    ),
    agreement: verdict.status === 'COMPLETED' ? agreementOf(verdict) : null,
  };
}

/** Returns what served responses, once each, in a fixed order. */
function servedBy(replies: readonly Served[]): Served[] {
  const found = new Map(
    replies.map(({ model, fingerprint }) => [JSON.stringify([model, fingerprint]), { model, fingerprint }]),
  );
  return [...found.keys()].toSorted().map((key) => found.get(key) as Served);
}
