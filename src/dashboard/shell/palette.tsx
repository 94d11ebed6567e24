import { Command as Palettes } from 'cmdk';
import { type ReactNode, useState } from 'react';
import { fullPath } from '../app/base-path.ts';
import { useSession } from '../api/session.ts';
import { useStored } from '../app/stored.ts';
import { theme } from '../app/theme.ts';
import { useOpen } from '../app/url.tsx';
import { SCREENS } from '../screens.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { THEMES } from './account-menu.tsx';
import { PaletteRecords } from './palette-records.tsx';
import { useChooseApplication } from './use-choose-application.ts';
import { useSelectedEntry } from './use-selected-entry.ts';
import { useSignOut } from './use-sign-out.ts';

interface PaletteProps {
  isOpen: boolean;
  onClose: () => void;
  onHelp: () => void;
}

/** Finds pages, records, ids and actions by a few letters. */
export function Palette({ isOpen, onClose, onHelp }: PaletteProps): ReactNode {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Go to a page, an id or an action"
      hidesTitle
      isTextDisposable
    >
      <PaletteContent onClose={onClose} onHelp={onHelp} />
    </Dialog>
  );
}

function PaletteContent({ onClose, onHelp }: Omit<PaletteProps, 'isOpen'>): ReactNode {
  const open = useOpen();
  const [text, setText] = useState('');
  const root = useSelectedEntry();
  const id = text.trim();
  const after: After = (run) => () => {
    onClose();
    run();
  };
  return (
    <Palettes ref={root} label="Pages, ids and actions" loop className="flex min-h-0 flex-col">
      <Palettes.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="A page, an id or an action"
        className="h-11 shrink-0 border-b border-line bg-transparent px-4 text-reading outline-none"
      />
      <Palettes.List className="min-h-0 overflow-y-auto p-1.5" tabIndex={-1}>
        <Palettes.Empty className="px-3 py-6 text-center text-dim">Nothing is called that.</Palettes.Empty>
        {SCREENS.filter(({ finds }) => finds?.pattern.test(id)).map(({ finds, path }) => (
          <Entry
            key={path}
            value={`${id} ${finds?.what}`}
            onChoose={after(() => open(finds?.href(id) ?? '/'))}
          >
            Open {finds?.what} <code className="truncate font-mono text-label">{id}</code>
          </Entry>
        ))}
        <Group heading="Pages">
          {SCREENS.filter(({ key }) => key !== undefined).map(({ path, title, question, key }) => (
            <Entry key={path} value={`${title} ${question}`} onChoose={after(() => open(path))}>
              {title}
              <span className="grow truncate text-dim">{question}</span>
              <Kbd keys={`g ${key}`} />
            </Entry>
          ))}
        </Group>
        <PaletteRecords
          text={text}
          group={(heading, entries) => (
            <Group key={heading} heading={heading}>
              {entries}
            </Group>
          )}
          entry={({ id: recordId, title, detail, href, what }) => (
            <Entry
              key={recordId}
              value={`${title} ${what} ${detail} ${recordId}`}
              onChoose={after(() => open(href))}
            >
              <span className="grow truncate">{title}</span>
              {detail !== '' && <span className="shrink-0 text-dim">{detail}</span>}
            </Entry>
          )}
        />
        <Applications after={after} />
        <Actions after={after} onHelp={onHelp} />
      </Palettes.List>
    </Palettes>
  );
}

/** Returns a function that closes the palette before it does something. */
type After = (run: () => void) => () => void;

function Applications({ after }: { after: After }): ReactNode {
  const { login, application } = useSession();
  const choose = useChooseApplication();
  const others = login.applications.filter(({ id }) => id !== application.id);
  if (others.length === 0) return null;
  return (
    <Group heading="Applications">
      {others.map(({ id, name }) => (
        <Entry key={id} value={`Application ${name} ${id}`} onChoose={after(() => choose(id))}>
          Switch to {name}
        </Entry>
      ))}
    </Group>
  );
}

function Actions({ after, onHelp }: { after: After; onHelp: () => void }): ReactNode {
  const leave = useSignOut();
  const chosenTheme = useStored(theme);
  return (
    <Group heading="Actions">
      {THEMES.filter(([value]) => value !== chosenTheme).map(([value, name]) => (
        <Entry key={value} value={`Theme ${name}`} onChoose={after(() => theme.write(value))}>
          Theme: {name}
        </Entry>
      ))}
      <Entry value="Keyboard help shortcuts" onChoose={after(onHelp)}>
        Show all keys
      </Entry>
      <Entry value="API reference documentation" onChoose={after(() => location.assign(fullPath('/docs')))}>
        API reference
      </Entry>
      <Entry value="Sign out" onChoose={after(leave)}>
        Sign out
      </Entry>
    </Group>
  );
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }): ReactNode => (
  <Palettes.Group
    heading={heading}
    className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-axis [&_[cmdk-group-heading]]:text-dim"
  >
    {children}
  </Palettes.Group>
);

function Entry({
  value,
  onChoose,
  children,
}: {
  value: string;
  onChoose: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Palettes.Item
      value={value}
      onSelect={onChoose}
      className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-selection data-[selected=true]:text-accent"
    >
      {children}
    </Palettes.Item>
  );
}
