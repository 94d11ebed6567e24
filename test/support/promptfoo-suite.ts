/** A configuration of promptfoo, and outputs for each of its tests. */
export const SUITE = `prompts: ["{{question}}"]
providers: [openai:gpt-4o]
defaultTest:
  assert:
    - { type: not-contains, value: As an AI }
tests:
  - vars: { question: q01 }
    assert: [{ type: contains, value: Lima }]
  - vars: { question: q02 }
    assert: [{ type: icontains, value: PARIS }, { type: not-icontains, value: sorry }]
  - vars: { question: q03 }
    assert: [{ type: equals, value: 42 }]
  - vars: { question: q04 }
    assert: [{ type: regex, value: '^\\d{4}$' }]
  - vars: { question: q05 }
    assert: [{ type: is-json, value: { type: object, required: [city] } }]
  - vars: { question: q06 }
    assert: [{ type: contains-json }]
  - vars: { question: q07 }
    assert: [{ type: contains-any, value: 'red, green' }]
  - vars: { question: q08 }
    assert: [{ type: contains-all, value: [a1, b2] }]
  - vars: { question: q09 }
    assert: [{ type: starts-with, value: Dear }]
  - vars: { question: q10 }
    assert: [{ type: levenshtein, value: hello, threshold: 2 }]
  - vars: { question: q11 }
    threshold: 0.5
    assert: [{ type: contains, value: alpha, weight: 3 }, { type: contains, value: beta }]
  - vars: { question: q12, city: Quito }
    assert:
      - type: assert-set
        threshold: 0.5
        assert: [{ type: contains, value: x1 }, { type: contains, value: y1 }]
      - { type: word-count, value: { max: 5 } }
      - { type: contains, value: '{{city}}' }
`;

/**
 * Outputs by question, each with the verdict of promptfoo 0.121.20 (`runAssertions` of its package): all assertions must pass, those of
 * `defaultTest` too; with `threshold`, the sum of the weights that passed must be at least that share of all weights.
 */
export const FACTS: Readonly<Record<string, readonly (readonly [output: string, passes: boolean])[]>> = {
  q01: [
    ['Lima', true],
    ['lima', false],
    ['It is Lima.', true],
    ['As an AI, I say Lima', false],
    ['Cusco', false],
  ],
  q02: [
    ['Paris', true],
    ['paris!', true],
    ['Sorry, Paris', false],
    ['SORRY paris', false],
    ['Rome', false],
  ],
  // A number is compared as its text.
  q03: [
    ['42', true],
    ['42.0', false],
    ['042', false],
    ['42!', false],
    ['forty-two', false],
  ],
  q04: [
    ['2024', true],
    ['20245', false],
    ['in 2024', false],
    ['1999', true],
    ['abcd', false],
  ],
  q05: [
    ['{"city":"Lima"}', true],
    ['{"town":"Lima"}', false],
    ['Lima', false],
    ['[1]', false],
    ['{"city":5,"b":1}', true],
  ],
  q06: [
    ['Here: {"a":1}', true],
    ['no data', false],
    ['{"a":1}', true],
    ['nothing at all', false],
    ['x {"b":[1,2]} y', true],
  ],
  q07: [
    ['a red car', true],
    ['Green', false],
    ['greenish', true],
    ['blue', false],
    ['As an AI: red', false],
  ],
  q08: [
    ['a1 b2', true],
    ['a1', false],
    ['b2a1', true],
    ['A1 B2', false],
    ['none', false],
  ],
  q09: [
    ['Dear Ann', true],
    ['dear Ann', false],
    ['My Dear', false],
    ['Dearest', true],
    ['As an AI, Dear', false],
  ],
  // Edits: 0, 1, 2, 4 and 3.
  q10: [
    ['hello', true],
    ['hallo', true],
    ['help', true],
    ['world', false],
    ['he', false],
  ],
  // Weights that pass, of 5 with that of defaultTest: 4, 2, 5, 3 and 1.
  q11: [
    ['alpha', true],
    ['beta', false],
    ['alpha beta', true],
    ['As an AI alpha', true],
    ['none', false],
  ],
  q12: [
    ['Quito x1', true],
    ['Quito y1', true],
    ['Quito', false],
    ['x1 y1', false],
    ['Quito x1 a b c d', false],
  ],
};
