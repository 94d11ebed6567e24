import { z } from 'zod';
import { definitionConfigs } from '../definition-config.ts';
import type { AppliedDefinition, JudgedEvaluator } from '../evaluator.ts';
import { majorityVerdict } from '../judge/majority.ts';
import type { ConversationTurn } from '../subject.ts';
import { noOutput, promptInput } from './prompt-inputs.ts';

const SCORES = { yes: 1, partly: 0.5, no: 0 } as const;

const answer = z.object({
  goal: z.string(),
  rationale: z.string(),
  reached: z.enum(['yes', 'partly', 'no']),
});
type Answer = z.output<typeof answer>;

const instructionsFor = (criterion: string | undefined): string =>
  `Decide whether the user of an application reached their goal in a conversation. You are given the turns in their order: of each, what the user sent, "user 1", and what the application returned, "app 1". A text of the user may repeat earlier turns. Where it is known, you are also given the "expected" outcome.

${criterion === undefined ? 'First state the goal of the user in one sentence, as the turns show it.' : `The goal of the user, and what counts as reaching it:\n\n${criterion}\n\nFirst state that goal in one sentence.`} Then give the rationale: a few sentences that name the turns they are based on. Then decide whether the goal was reached at the end: "yes"; "partly" if an essential part is missing; "no" if it was not, or if the turns do not show that it was.`;

/**
 * `CONVERSATION`: judges whether the user reached their goal in the turns of a test or a session. The
 * score is 1, 0.5 or 0. Passes when the goal was reached, within `globalConfig.maxTurns`. `results`: `{ goal, reached,
 * rationale, turns }`.
 */
export const conversationEvaluator: JudgedEvaluator<Answer> = {
  judgedBy: 'model',
  reads: () => ['turns', 'output'],
  inquiry({ turns, output }, definition) {
    if (output === null) return noOutput(0);
    if (turns.length === 0)
      return { skip: 'the trace belongs to no session, and one turn is no conversation' };
    const { criterion } = definitionConfigs.CONVERSATION.parse(definition.config);
    const inputs = [...promptInput('expected', definition.expected ?? null), ...turns.flatMap(turnInputs)];
    return (ask) => ask({ instructions: instructionsFor(criterion), inputs, answer });
  },
  decide(answers, definition, { turns }) {
    const isShort = turns.length <= maxTurnsOf(definition);
    const opinions = answers.map((one) => {
      return { answer: one, score: SCORES[one.reached], passed: one.reached === 'yes' && isShort };
    });
    return majorityVerdict(opinions, { min: 0, max: 1 }, ({ goal, reached, rationale }) => ({
      results: { goal, reached, rationale, turns: turns.length },
      reason: isShort || reached !== 'yes' ? rationale : `the conversation has ${turns.length} turns`,
    }));
  },
};

const maxTurnsOf = ({ config }: AppliedDefinition): number =>
  definitionConfigs.CONVERSATION.parse(config).maxTurns ?? Number.POSITIVE_INFINITY;

const turnInputs = ({ input, output }: ConversationTurn, index: number) => [
  ...promptInput(`user ${index + 1}`, input),
  ...promptInput(`app ${index + 1}`, output),
];
