import type { JudgedEvaluator, AppliedDefinition, Verdict } from '../evaluator.ts';
import type { Subject } from '../subject.ts';
import type { JudgeReply } from './call-record.ts';
import { type Asked, type Asker, type AskOptions, Judge, type JudgeDeps } from './judge.ts';
import type { JudgeError } from './judge-error.ts';
import { truncatedTexts, PROMPT_VERSION, type Prompt, promptHash, promptOf } from './prompt.ts';
import type { JudgeSettings, JudgesSettings } from './settings.ts';

/** Record of a judgement, stored for inspection. */
export interface JudgeRecord {
  /** Name of the judge in the settings. */
  judge: string;
  /** Model as requested. */
  model: string;
  parameters: Pick<JudgeSettings, 'temperature' | 'seed' | 'maxOutputTokens' | 'structuredOutput'> & {
    repeats: number;
  };
  promptVersion: number;
  /** SHA-256 of the instructions and the schema of the answer, in hex; independent of the judged texts. */
  promptHash: string;
  /** Names of the texts that the judge did not see completely. */
  cut: readonly string[];
  /** Responses in order. When there is no verdict, some may be missing or unusable. */
  repeats: readonly JudgeReply[];
  /** Share of the repeats that agree with the majority; null when there is no verdict. */
  agreement: number | null;
}

/** Eval that requests belong to. */
export type JudgedEval = Omit<Asker, 'repeat'>;

export interface Judges {
  /** Judges, and how many requests each accepts at once. */
  readonly queues: readonly Pick<JudgeSettings, 'name' | 'concurrency'>[];
  /** Returns the judge in `config.judge` of the definition, else the default one; null when there is none. */
  nameFor(definition: AppliedDefinition): string | null;
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
  const namedBy = ({ config }: AppliedDefinition): string | null =>
    typeof config['judge'] === 'string' ? config['judge'] : settings.default;
  const skipped = (reason: string): { verdict: Verdict; record: null } => {
    return { verdict: { status: 'SKIPPED', reason }, record: null };
  };
  return {
    queues: settings.judges,
    nameFor: (definition) => {
      const name = namedBy(definition);
      return name !== null && judges.has(name) ? name : null;
    },
    evaluate: async (definition, subject, evaluator, judged, options) => {
      const name = namedBy(definition);
      if (name === null) return skipped('no judge is configured');
      const judge = judges.get(name);
      if (!judge) return skipped(`no judge is configured with the name ${JSON.stringify(name.slice(0, 80))}`);
      const question = evaluator.ask(subject, definition);
      if ('skip' in question) return skipped(question.skip);
      const prompt = promptOf(question);
      const asked = await allOf(
        Array.from({ length: definition.repeats }, (_, repeat) =>
          judge.ask(prompt, question.answer, { ...judged, repeat }, options),
        ),
      );
      const cut = [...truncatedTexts(prompt), ...(subject.isTruncated ? ['the trace'] : [])];
      const verdict = verdictOf(
        asked,
        cut,
        (answers) => evaluator.decide(answers, definition, subject),
        name,
      );
      return { verdict, record: recordOf(judge, prompt, { asked, cut, verdict }) };
    },
  };
}

/** Waits for all promises even if one rejects, because responses that were paid for must be stored. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

function verdictOf<T>(
  asked: readonly Asked<T>[],
  cut: readonly string[],
  decide: (answers: readonly T[]) => Verdict,
  judge: string,
): Verdict {
  const errors = asked.flatMap((one) => ('error' in one ? [one.error] : []));
  const [error] = errors;
  if (error) return withoutVerdict(error, judge);
  const verdict = decide(asked.flatMap((one) => ('value' in one ? [one.value] : [])));
  if (verdict.status !== 'COMPLETED' || cut.length === 0) return verdict;
  return { ...verdict, results: { ...verdict.results, cut } };
}

const withoutVerdict = ({ code, message }: JudgeError, judge: string): Verdict =>
  code === 'judge_cost_limit'
    ? { status: 'SKIPPED', reason: message }
    : { status: 'FAILED', reason: `${code}: ${message} (judge ${judge})` };

function recordOf(
  { settings }: Judge,
  prompt: Prompt,
  { asked, cut, verdict }: { asked: readonly Asked<unknown>[]; cut: readonly string[]; verdict: Verdict },
): JudgeRecord {
  const { name, model, temperature, seed, maxOutputTokens, structuredOutput } = settings;
  const agreement = verdict.status === 'COMPLETED' ? verdict.results['agreement'] : null;
  return {
    judge: name,
    model,
    parameters: { temperature, seed, maxOutputTokens, structuredOutput, repeats: asked.length },
    promptVersion: PROMPT_VERSION,
    promptHash: promptHash(prompt),
    cut,
    repeats: asked.flatMap(({ reply }) => reply ?? []),
    agreement: typeof agreement === 'number' ? agreement : null,
  };
}
