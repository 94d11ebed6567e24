import { Copy } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Button } from './button.tsx';
import { codeTokens, type TokenKind } from './code-tokens.ts';
import { announce } from './status-line.tsx';

const COLOURS: Readonly<Record<TokenKind, string>> = {
  comment: 'text-dim',
  string: 'text-retriever',
  number: 'text-llm',
  word: 'text-agent',
  name: 'text-tool',
  plain: '',
};

/** Code with colours. */
export function Code({ code, language }: { code: string; language: string }): ReactNode {
  const tokens = useMemo(() => codeTokens(code, language), [code, language]);
  return tokens.map(({ kind, text }, at) =>
    kind === 'plain' ? (
      text
    ) : (
      <span key={at} className={COLOURS[kind]}>
        {text}
      </span>
    ),
  );
}

interface CodeBlockProps {
  code: string;
  language: string;
  /** Names the block to screen readers. */
  label: string;
}

/** Code with colours, and a button that copies it exactly. */
export function CodeBlock({ code, language, label }: CodeBlockProps): ReactNode {
  return (
    <div className="grid gap-1.5">
      <CopyButton text={code} what={label} />
      <pre
        tabIndex={0}
        aria-label={label}
        role="region"
        className="overflow-x-auto font-mono text-label leading-5 break-words whitespace-pre-wrap"
      >
        <Code code={code} language={language} />
      </pre>
    </div>
  );
}

const CopyButton = ({ text, what }: { text: string; what: string }): ReactNode => (
  <Button className="justify-self-start" onClick={() => void copyText(text, what)}>
    <Copy size={13} aria-hidden="true" />
    Copy
  </Button>
);

/** Copies a text and says so. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
  } catch {
    announce('The browser does not allow to copy');
  }
}
