import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
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
  children: ReactNode;
}

/** A dialog in front of the page. */
export function Dialog({
  isOpen,
  onClose,
  title,
  hidesTitle = false,
  width = 'medium',
  children,
}: DialogProps): ReactNode {
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-ink opacity-20" />
        <BaseDialog.Popup
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
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
