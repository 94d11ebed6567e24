import type { ComponentProps, ReactNode } from 'react';
import { Page } from './page.tsx';
import { RecordList, Total } from './record-list.tsx';

interface ListPageProps<Row extends { id: string }>
  extends Omit<ComponentProps<typeof RecordList<Row>>, 'label'> {
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Links to the pages beside this one. */
  tabs?: ReactNode;
  filters: ReactNode;
  /** Panels above the list. */
  above?: ReactNode;
  /** Dialogs that are open. */
  children?: ReactNode;
}

/** A page with a list: its filters, the number of rows, and the rows. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>): ReactNode {
  const { title, actions, tabs, filters, above, children, ...list } = props;
  return (
    <Page
      title={title}
      actions={actions}
      {...(tabs !== undefined && { tabs })}
      bar={
        <div className="flex flex-wrap items-center gap-2">
          {filters}
          <Total of={list.of} what={list.what} />
        </div>
      }
    >
      {above}
      <RecordList {...list} label={title} />
      {children}
    </Page>
  );
}
