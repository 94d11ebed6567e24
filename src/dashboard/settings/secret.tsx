import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { CommandText } from '../ui/states.tsx';

interface SecretProps {
  title: string;
  text: string;
  hint: string;
  onDone: () => void;
}

/** Shows something that is shown only once. */
export const NewSecret = ({ title, text, hint, onDone }: SecretProps): ReactNode => (
  <section aria-label={title} className="mx-4 mb-4 grid gap-2 rounded-md border border-pass bg-page p-3.5">
    <div className="flex items-center gap-2">
      <h2 className="font-semibold">
        <span aria-hidden="true" className="text-pass">
          ✓{' '}
        </span>
        {title}
      </h2>
      <Button className="ml-auto" onClick={onDone}>
        Done
      </Button>
    </div>
    <CommandText label={title} text={text} />
    <p className="text-dim">{hint}</p>
  </section>
);
