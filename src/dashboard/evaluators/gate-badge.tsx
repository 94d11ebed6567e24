import type { ReactNode } from 'react';
import type { EvaluationDefinition } from '../../api/generated/schema.ts';
import { Badge } from '../ui/badge.tsx';
import { evaluatorWords } from './words.ts';

/** Says whether the verdicts of an evaluator count, as far as its settings tell. */
export function GateBadge({
  definition: { type, gate },
}: {
  definition: Pick<EvaluationDefinition, 'type' | 'gate'>;
}): ReactNode {
  if (!evaluatorWords(type).isJudged) return <Badge title="Rules always decide.">✓ Decides</Badge>;
  return gate === null ? (
    <Badge tone="doubt" title="A judge model that is not verified: its verdicts never fail a run.">
      ? Non-blocking
    </Badge>
  ) : (
    <Badge title="Its verdicts count once the judge has proved that it agrees with people.">
      ◇ With verification
    </Badge>
  );
}
