import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Ellipsis } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

interface MenuProps {
  /** Button that opens the menu. */
  trigger: ReactElement<Record<string, unknown>>;
  side?: 'top' | 'bottom';
  children: ReactNode;
}

/** A menu that a button opens. */
export function Menu({ trigger, side = 'bottom', children }: MenuProps): ReactNode {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner side={side} align="start" sideOffset={4} className="z-50">
          <BaseMenu.Popup className="max-h-(--available-height) max-w-[min(360px,calc(100vw-32px))] min-w-[200px] overflow-y-auto rounded-md border border-edge bg-page p-1 outline-none">
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** Menu of the actions on a row of a table. `of` names the row to screen readers. */
export const RowMenu = ({ of, children }: { of: string; children: ReactNode }): ReactNode => (
  <Menu
    trigger={
      <button
        type="button"
        title="What can be done with it"
        className="inline-flex size-6 cursor-pointer items-center justify-center rounded-md hover:bg-selection"
      >
        <Ellipsis size={15} aria-hidden="true" />
        <span className="sr-only">Actions of {of}</span>
      </button>
    }
  >
    {children}
  </Menu>
);

const ITEM =
  'flex min-h-[26px] cursor-pointer items-center gap-2 rounded-sm px-2 py-0.5 outline-none data-highlighted:bg-selection data-highlighted:text-accent';

export function MenuItem({ onChoose, children }: { onChoose: () => void; children: ReactNode }): ReactNode {
  return (
    <BaseMenu.Item className={ITEM} onClick={onChoose}>
      {children}
    </BaseMenu.Item>
  );
}

/** Items below a heading. */
export const MenuGroup = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <BaseMenu.Group>
    <BaseMenu.GroupLabel className="px-2 pt-1.5 pb-0.5 text-axis text-dim">{label}</BaseMenu.GroupLabel>
    {children}
  </BaseMenu.Group>
);

interface MenuChoicesProps<T extends string> {
  label: string;
  value: T;
  choices: readonly (readonly [value: T, name: string])[];
  onChoose: (value: T) => void;
}

/** Choices of which exactly one is made. */
export function MenuChoices<T extends string>({
  label,
  value,
  choices,
  onChoose,
}: MenuChoicesProps<T>): ReactNode {
  return (
    <MenuGroup label={label}>
      <BaseMenu.RadioGroup value={value} onValueChange={(next: T) => onChoose(next)}>
        {choices.map(([choice, name]) => (
          <BaseMenu.RadioItem key={choice} value={choice} closeOnClick className={ITEM}>
            <span aria-hidden="true" className="w-3">
              {choice === value ? '✓' : ''}
            </span>
            {name}
          </BaseMenu.RadioItem>
        ))}
      </BaseMenu.RadioGroup>
    </MenuGroup>
  );
}

/** A choice of several that can each be on or off. */
export function MenuCheck({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}): ReactNode {
  return (
    <BaseMenu.CheckboxItem checked={isOn} onCheckedChange={onChange} closeOnClick={false} className={ITEM}>
      <span aria-hidden="true" className="w-3">
        {isOn ? '✓' : ''}
      </span>
      {children}
    </BaseMenu.CheckboxItem>
  );
}

export const MenuLine = (): ReactNode => <BaseMenu.Separator className="my-1 border-t border-line" />;
