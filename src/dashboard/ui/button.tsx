import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Kbd } from './kbd.tsx';

const LOOKS = {
  plain: 'border-edge bg-page text-ink hover:bg-panel',
  primary: 'border-accent bg-accent text-on-accent font-semibold hover:opacity-90',
  danger: 'border-fail bg-page text-fail hover:bg-fail-soft',
  quiet: 'border-transparent bg-transparent text-dim hover:bg-panel hover:text-ink',
  chosen: 'border-accent bg-selection text-accent',
};

/** Classes of everything that looks like a button. */
const buttonClass = (look: keyof typeof LOOKS = 'plain'): string =>
  classNames(
    'inline-flex h-[26px] shrink-0 cursor-pointer items-center gap-1.5 rounded-md border px-2.5 whitespace-nowrap no-underline',
    'disabled:cursor-default disabled:border-line disabled:bg-panel disabled:text-dim disabled:opacity-100',
    LOOKS[look],
  );

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof LOOKS;
  /** Keys that do the same. */
  keys?: string;
}

export function Button({
  look,
  keys,
  className,
  children,
  type = 'button',
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button type={type} className={classNames(buttonClass(look), className)} {...rest}>
      {children}
      {keys !== undefined && <Kbd keys={keys} />}
    </button>
  );
}
