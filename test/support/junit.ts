/** JUnit XML as a CI system reads it, and whether it is well formed at all. */
import { execFileSync } from 'node:child_process';

export interface JunitSuite {
  name: string;
  tests: string;
  failures: string;
  errors: string;
  skipped: string;
  cases: JunitCase[];
}

export interface JunitCase {
  classname: string;
  name: string;
  /** The names of the elements that tell how it ended; none = it passed. */
  outcomes: string[];
  /** Message of the first of them. */
  message: string | null;
}

const READER = `
import json, sys, xml.etree.ElementTree as tree
def case(element):
    outcomes = [child for child in element if child.tag in ('failure', 'error', 'skipped')]
    return dict(element.attrib, outcomes=[o.tag for o in outcomes], message=outcomes[0].get('message') if outcomes else None)
root = tree.fromstring(sys.stdin.buffer.read())
assert root.tag == 'testsuites'
print(json.dumps([dict(suite.attrib, cases=[case(c) for c in suite.iter('testcase')]) for suite in root]))
`;

/** Throws when it is no XML. */
export const suitesOf = (xml: string): JunitSuite[] =>
  JSON.parse(execFileSync('python3', ['-c', READER], { input: xml, encoding: 'utf8' })) as JunitSuite[];
