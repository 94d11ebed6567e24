import type { ReactNode } from 'react';
import type { EvaluationDefinition } from '../../api/generated/schema.ts';
import { Badge } from '../ui/badge.tsx';
import { evaluatorWords } from './words.ts';

/** Says whether the verdicts of an evaluator count. */
export function GateBadge({
  definition: { type, gate, isBlocking },
}: {
  definition: Pick<EvaluationDefinition, 'type' | 'gate' | 'isBlocking'>;
}): ReactNode {
  if (isBlocking) {
    const isJudged = evaluatorWords(type).isJudged;
    return (
      <Badge title={isJudged ? 'Its judge has proved that it agrees with people.' : 'Rules always decide.'}>
        ✓ Decides
      </Badge>
    );
  }
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
