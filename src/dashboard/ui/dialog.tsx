import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

const WIDTHS = {
  narrow: 'w-[min(440px,calc(100vw-32px))]',
  medium: 'w-[min(560px,calc(100vw-32px))]',
  wide: 'w-[min(640px,calc(100vw-32px))]',
} as const;

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** True if the title is for screen readers only. */
  hidesTitle?: boolean;
  width?: keyof typeof WIDTHS;
  /** True if what is typed need not be kept, such as a search. */
  isTextDisposable?: boolean;
  children: ReactNode;
}

/** A dialog in front of the page. `Esc` and a click beside it ask first when text was entered. */
export function Dialog({
  isOpen,
  onClose,
  title,
  hidesTitle = false,
  width = 'medium',
  isTextDisposable = false,
  children,
}: DialogProps): ReactNode {
  const hasText = useRef(false);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    hasText.current = false;
    setAsking(false);
  }, [isOpen]);
  const close = (): void => {
    if (isAsking) setAsking(false);
    else if (hasText.current && !isTextDisposable) setAsking(true);
    else onClose();
  };
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-ink opacity-20" />
        <BaseDialog.Popup
          onInput={({ target }) => {
            if (isText(target)) hasText.current = true;
          }}
          className={classNames(
            'fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] -translate-x-1/2 flex-col rounded-md border border-edge bg-page outline-none',
            WIDTHS[width],
          )}
        >
          <BaseDialog.Title
            className={hidesTitle ? 'sr-only' : 'border-b border-line px-4 py-2.5 text-title font-semibold'}
          >
            {title}
          </BaseDialog.Title>
          {children}
          {isAsking && <Discard onKeep={() => setAsking(false)} onDiscard={onClose} />}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

const isText = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && ['text', 'email', 'url'].includes(target.type));

const Discard = ({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }): ReactNode => (
  <div role="alert" className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2.5">
    <p className="grow font-semibold">Discard what you have entered?</p>
    <Button autoFocus onClick={onKeep}>
      Keep editing
    </Button>
    <Button look="danger" onClick={onDiscard}>
      Discard
    </Button>
  </div>
);
