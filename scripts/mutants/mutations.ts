import { parseSync, Visitor } from 'oxc-parser';

/** A change of a source that its tests should notice. */
export interface Mutation {
  line: number;
  /** Source before and after, around the change. */
  before: string;
  after: string;
  /** The complete changed source. */
  source: string;
}

const OTHER_OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
};

/** Words of SQL, and what stands in their place. Each text is changed in one place at a time. */
const OTHER_SQL: readonly (readonly [RegExp, string])[] = [
  [/ AND /, ' OR '],
  [/ = \?/, ' <> ?'],
  [/\bASC\b/, 'DESC'],
  [/\bDESC\b/, 'ASC'],
  [/ IS NULL/, ' IS NOT NULL'],
  [/ IS NOT NULL/, ' IS NULL'],
];

interface Node {
  start: number;
  end: number;
}

/** Returns all mutations of a source: operators, conditions, constants, calls left out, and conditions of SQL. */
export function mutationsOf(path: string, source: string): Mutation[] {
  const found: Mutation[] = [];
  const replace = ({ start, end }: Node, text: string): void => {
    found.push({
      line: source.slice(0, start).split('\n').length,
      before: source.slice(start, end),
      after: text,
      source: source.slice(0, start) + text + source.slice(end),
    });
  };
  const changeSql = (node: Node): void => {
    const text = source.slice(node.start, node.end);
    for (const [pattern, other] of OTHER_SQL)
      if (pattern.test(text)) replace(node, text.replace(pattern, other));
  };
  const changeOperator = ({ left, right, operator }: { left: Node; right: Node; operator: string }): void => {
    const other = OTHER_OPERATORS[operator];
    const between = source.slice(left.end, right.start);
    if (other !== undefined) replace({ start: left.end, end: right.start }, between.replace(operator, other));
  };
  new Visitor({
    BinaryExpression: changeOperator,
    LogicalExpression: changeOperator,
    ConditionalExpression: ({ test }) => replace(test, `!(${source.slice(test.start, test.end)})`),
    IfStatement: ({ test }) => replace(test, `!(${source.slice(test.start, test.end)})`),
    Literal: (node) => {
      if (typeof node.value === 'boolean') replace(node, String(!node.value));
      else if (typeof node.value === 'number') replace(node, String(node.value + 1));
      else if (typeof node.value === 'string') changeSql(node);
    },
    TemplateElement: changeSql,
    ExpressionStatement: (node) => {
      if (node.expression.type === 'CallExpression') replace(node, ';');
    },
  }).visit(parseSync(path, source).program);
  return found;
}
