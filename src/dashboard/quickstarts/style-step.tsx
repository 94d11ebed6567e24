import { type ReactNode, useState } from 'react';
import type { StyleGuide } from '../../api/generated/schema.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, TextArea, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import type { StepProps } from './step-props.ts';
import { ReviewFrame, type ReviewItem } from './review-frame.tsx';

type RuleSection = StyleGuide['content'][number];
interface StyleItem extends ReviewItem {
  section: RuleSection;
}

/** Reviews the sections of the style guide, or begins one. */
export function StyleStep(props: StepProps): ReactNode {
  const { id, styleGuideId } = props.quickstart;
  const own = useApi(
    '/v0/style-guides/{id}',
    { path: { id: styleGuideId ?? '' } },
    { enabled: styleGuideId !== null },
  );
  const made = useApi(
    '/v0/style-guides',
    { query: { quickstartId: [id], orderBy: 'createdAt', orderDir: 'desc', limit: 1 } },
    { enabled: styleGuideId === null },
  );
  if (styleGuideId !== null)
    return (
      <Loaded of={own} isFlush isFull>
        {({ data }) => <GuideReview {...props} guide={data} />}
      </Loaded>
    );
  return (
    <Loaded of={made} isFlush isFull>
      {({ data: [guide] }) => <GuideReview {...props} guide={guide} />}
    </Loaded>
  );
}

function GuideReview({ guide, ...props }: StepProps & { guide: StyleGuide | undefined }): ReactNode {
  const sections = guide?.content ?? [];
  const save = useAction(['/v0/style-guides', '/v0/quickstarts'], (api, content: RuleSection[]) =>
    guide
      ? api.PUT('/v0/style-guides/{id}', { params: { path: { id: guide.id } }, body: { content } })
      : api.POST('/v0/style-guides', { body: { content, quickstartId: props.quickstart.id } }),
  );
  const approve = (chosen: readonly StyleItem[], onDone?: () => void): void => {
    const approved = new Set(chosen.map(({ section }) => section));
    const next = sections.map((section) => ({
      ...section,
      approved: section.approved || approved.has(section),
    }));
    save.mutate(next, onDone ? { onSuccess: onDone } : {});
  };
  const addForm = !props.isReadOnly && (
    <NewSection
      isBusy={save.isPending}
      error={save.error}
      onAdd={(section, onDone) => save.mutate([...sections, section], { onSuccess: onDone })}
    />
  );
  return (
    <ReviewFrame
      {...props}
      step="style"
      items={sections.map(itemOf)}
      empty={
        <>
          <p>
            A style guide says how your app should write. Evaluators of style judge by it. Without one,
            continue with the next step.
          </p>
          {addForm}
        </>
      }
      isBusy={save.isPending}
      error={save.error}
      accept={(item, onDone) => approve([item], onDone)}
      acceptRest={approve}
      reject={({ section }, onDone) =>
        save.mutate(
          sections.filter((one) => one !== section),
          { onSuccess: onDone },
        )
      }
    >
      {({ section: { heading, content } }) => (
        <div className="grid max-w-[760px] grid-cols-1 gap-5">
          <article className="grid gap-3">
            <h2 className="text-title font-semibold wrap-anywhere">{heading}</h2>
            <p className="whitespace-pre-wrap wrap-anywhere">{content}</p>
          </article>
          {addForm}
        </div>
      )}
    </ReviewFrame>
  );
}

const itemOf = (section: RuleSection, index: number): StyleItem => ({
  id: String(index),
  title: section.heading,
  detail: 'Section',
  state: section.approved ? 'accepted' : 'open',
  section,
});

interface NewSectionProps {
  isBusy: boolean;
  error: unknown;
  onAdd: (section: RuleSection, onDone: () => void) => void;
}

function NewSection({ isBusy, error, onAdd }: NewSectionProps): ReactNode {
  const [heading, setHeading] = useState('');
  const [content, setContent] = useState('');
  const add = (): void =>
    onAdd({ heading, content, approved: true }, () => {
      announce('Section added');
      setHeading('');
      setContent('');
    });
  return (
    <Section title="New section" className="text-ink">
      <Form className="grid grid-cols-1 gap-3" onSubmit={add}>
        <TextField
          label="Heading"
          required
          maxLength={256}
          placeholder="Tone"
          value={heading}
          onChange={({ target }) => setHeading(target.value)}
        />
        <TextArea
          label="Rules"
          required
          rows={3}
          maxLength={10_000}
          placeholder="Friendly and short. No exclamation marks."
          value={content}
          problem={problemOf(error, 'content')}
          onChange={({ target }) => setContent(target.value)}
        />
        <ErrorLine error={error} />
        <div>
          <Button type="submit" disabled={isBusy || heading.trim() === '' || content.trim() === ''}>
            Add the section
          </Button>
        </div>
      </Form>
    </Section>
  );
}
