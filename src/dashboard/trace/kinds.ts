/** Letter and colour of an observation kind; colours are names of the palette in `styles.css`. */
interface KindLook {
  letter: string;
  colour: string;
  /** Classes of text in this colour. */
  text: string;
}

const LOOKS: Readonly<Record<string, KindLook>> = {
  LLM: { letter: 'L', colour: '--llm', text: 'text-llm' },
  TOOL: { letter: 'T', colour: '--tool', text: 'text-tool' },
  RETRIEVER: { letter: 'R', colour: '--retriever', text: 'text-retriever' },
  EMBEDDING: { letter: 'E', colour: '--embedding', text: 'text-embedding' },
  RERANKER: { letter: 'K', colour: '--reranker', text: 'text-reranker' },
  AGENT: { letter: 'A', colour: '--agent', text: 'text-agent' },
  CHAIN: { letter: 'C', colour: '--chain', text: 'text-chain' },
  GUARDRAIL: { letter: 'G', colour: '--guardrail', text: 'text-guardrail' },
  EVALUATOR: { letter: 'V', colour: '--evaluator', text: 'text-evaluator' },
};
const OTHER: KindLook = { letter: '·', colour: '--other', text: 'text-other' };

export const lookOf = (kind: string): KindLook => LOOKS[kind] ?? OTHER;

/** Reports whether a span of this kind is a step of the model, rather than the plumbing around it. */
export const isModelStep = (kind: string): boolean => kind !== 'SPAN' && kind !== 'CHAIN';
