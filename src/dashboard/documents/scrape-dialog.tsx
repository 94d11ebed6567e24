import { type ReactNode, useState } from 'react';
import type { CreateScrapeJobBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';
import { NO_PLACE, placeBody, PlaceFields } from './place-fields.tsx';

const NEW = { name: '', url: '', pathPrefix: '', maxPages: '50', maxDepth: '2' };

/** Starts a job that creates documents from the pages of a web site. */
export function ScrapeDialog({ onClose }: { onClose: () => void }): ReactNode {
  const open = useOpen();
  const [place, setPlace] = useState(NO_PLACE);
  const draft = useDraft(NEW);
  const create = useAction(['/v0/scrape-jobs'], (api, body: CreateScrapeJobBody) =>
    api.POST('/v0/scrape-jobs', { body }),
  );
  const field = fieldsOf(draft, create.error);
  const { name, url, pathPrefix, maxPages, maxDepth } = draft.values;
  const start = (): void =>
    create.mutate(
      {
        name,
        url,
        pathPrefix: pathPrefix === '' ? null : pathPrefix,
        maxPages: Number(maxPages),
        maxDepth: Number(maxDepth),
        ...placeBody(place),
      },
      {
        onSuccess: () => {
          announce('The scrape job was started');
          onClose();
          open('/documents?tab=scrape');
        },
      },
    );
  return (
    <AskDialog
      title="From a web site"
      action="Start"
      isWide
      isBusy={create.isPending}
      error={create.error}
      onConfirm={start}
      onClose={onClose}
    >
      <p className="text-dim">
        Finds pages by the sitemap of the site, or else by its links, as its robots.txt allows, and creates a
        document from each.
      </p>
      <TextField label="Name" required maxLength={256} placeholder="Help pages" {...field('name')} />
      <TextField
        label="Address to begin with"
        type="url"
        required
        placeholder="https://example.org/help"
        {...field('url')}
      />
      <div className="grid grid-cols-3 items-start gap-4">
        <TextField label="Path prefix" help="Such as /help; empty for all." {...field('pathPrefix')} />
        <TextField label="Pages at most" type="number" min={1} max={500} required {...field('maxPages')} />
        <TextField label="Links away at most" type="number" min={0} max={5} required {...field('maxDepth')} />
      </div>
      <PlaceFields value={place} onChange={(patch) => setPlace({ ...place, ...patch })} />
    </AskDialog>
  );
}
