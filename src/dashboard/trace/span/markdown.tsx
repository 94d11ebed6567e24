import { Children, isValidElement, type ReactNode } from 'react';
import Markdown from 'react-markdown';
import { Code as ColouredCode } from '../../ui/code-block.tsx';
import { tablesAndTasks } from './markdown-tables.ts';

/** Texts that are longer stay as they were written: they would take long to lay out. */
const MAX_MARKDOWN = 200_000;

/** Shows a text of a model as it meant it. HTML within it stays text, and images show only their address. */
export function MarkdownText({ text }: { text: string }): ReactNode {
  if (text.length > MAX_MARKDOWN) return <p className="break-words whitespace-pre-wrap">{text}</p>;
  return (
    <div className={PROSE}>
      <Markdown
        remarkPlugins={PLUGINS}
        components={{
          a: Anchor,
          img: ImageAddress,
          h1: Heading,
          h2: Heading,
          h3: Heading,
          pre: Code,
          table: Table,
          input: Box,
        }}
      >
        {text}
      </Markdown>
    </div>
  );
}

const PLUGINS = [tablesAndTasks];
const PROSE =
  'grid gap-2 break-words [&_code]:font-mono [&_code]:text-label [&_li]:ml-5 [&_ol]:list-decimal [&_ul]:list-disc [&_blockquote]:border-l-2 [&_blockquote]:border-edge [&_blockquote]:pl-3 [&_p]:whitespace-pre-wrap [&_hr]:border-line';

const Anchor = ({ href, children }: { href?: string | undefined; children?: ReactNode }): ReactNode => (
  <a
    href={href}
    target="_blank"
    rel="noopener noreferrer nofollow"
    className="text-accent underline"
    title={href}
  >
    {children}
  </a>
);

const ImageAddress = ({ src, alt }: { src?: unknown; alt?: string | undefined }): ReactNode => (
  <span className="text-dim">
    [image {alt} {typeof src === 'string' && <code>{src}</code>}]
  </span>
);

/** Headings of a message are not headings of the page. */
const Heading = ({ children }: { children?: ReactNode }): ReactNode => (
  <p className="font-semibold">{children}</p>
);

const Code = ({ children }: { children?: ReactNode }): ReactNode => (
  <pre tabIndex={0} className="overflow-x-auto rounded-md border border-line bg-page p-2">
    {Children.map(children, coloured)}
  </pre>
);

/** Colours the code of a fence that names its language. */
function coloured(child: ReactNode): ReactNode {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(child)) return child;
  const { className = '', children } = child.props;
  const [, language = ''] = /language-(\w+)/.exec(className) ?? [];
  if (typeof children !== 'string') return child;
  return (
    <code>
      <ColouredCode code={children} language={language} />
    </code>
  );
}

/** The box of a task, which only the writer of the text could tick. */
const Box = ({ checked }: { checked?: boolean | undefined }): ReactNode => (
  <span role="img" aria-label={checked ? 'Done' : 'To do'}>
    {checked ? '☑' : '☐'}
  </span>
);

/** A wide table scrolls by itself. */
const Table = ({ children }: { children?: ReactNode }): ReactNode => (
  <div tabIndex={0} role="group" aria-label="Table" className="overflow-x-auto">
    <table className={TABLE}>{children}</table>
  </div>
);

const TABLE =
  'border-collapse [&_td]:border [&_td]:border-line [&_td]:px-2 [&_td]:py-1 [&_th]:border [&_th]:border-line [&_th]:px-2 [&_th]:py-1 [&_th]:text-left [&_th]:text-dim';
