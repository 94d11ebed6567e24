import type { Inquiry } from '../evaluator.ts';
import type { JudgeReply } from './call-record.ts';
import type { Asker, AskOptions, Judge } from './judge.ts';
import { JudgeError } from './judge-error.ts';
import { type Prompt, judgePrompt } from './prompt.ts';

/** A question of a vote and its response; null when none arrived. */
export interface Exchange {
  prompt: Prompt;
  reply: JudgeReply | null;
}

/** Outcome of one repeat, which asks at least one question: an answer, or the reason why there is none. */
export type Vote<Answer> = { repeat: number; exchanges: readonly Exchange[] } & (
  | { answer: Answer }
  | { error: JudgeError }
);

/** Asks what one vote needs. Rejects only with the reason of the signal, or when the store or a recording fails. */
export async function takeVote<Answer>(
  judge: Judge,
  inquiry: Inquiry<Answer>,
  asker: Asker,
  options: AskOptions,
): Promise<Vote<Answer>> {
  const { repeat } = asker;
  const exchanges: Exchange[] = [];
  try {
    const answer = await inquiry(async (question) => {
      const exchange: Exchange = { prompt: judgePrompt(question), reply: null };
      exchanges.push(exchange);
      const asked = await judge.ask(exchange.prompt, question.answer, asker, options);
      exchange.reply = asked.reply;
      if ('error' in asked) throw asked.error;
      return asked.value;
    });
    return { repeat, exchanges, answer };
  } catch (error) {
    if (error instanceof JudgeError) return { repeat, exchanges, error };
    throw error;
  }
}
