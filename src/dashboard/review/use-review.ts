import { useEffect, useRef, useState } from 'react';
import { answerOf, ApiError } from '../../api/client.ts';
import type { CreateAnnotationBody, ReviewContent, QueueItem } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';

/** An item that is reserved for the person. */
export interface Reserved {
  item: QueueItem;
  lease: { token: string; expiresAt: string };
  content: ReviewContent;
}

export interface Review {
  /** Null when nothing is left; undefined while it loads. */
  current: Reserved | null | undefined;
  error: unknown;
  isSaving: boolean;
  /** Annotation that can be undone; null if there is none. */
  last: { id: string; itemId: string } | null;
  reserve: (itemId: string | null) => Promise<void>;
  save: (judged: Partial<CreateAnnotationBody>) => Promise<boolean>;
  skip: () => Promise<void>;
  undo: () => Promise<void>;
  /** Extends the reservation, at most once a minute. */
  renew: () => void;
}

const RENEW_MS = 60_000;

/** Returns the calls that a review consists of. */
function useReviewCalls(queueId: string) {
  const { client } = useSession();
  return {
    next: (itemId: string | null) =>
      answerOf(
        client.POST('/v0/human-annotation-queues/{id}/next', {
          params: { path: { id: queueId } },
          body: { itemId },
        }),
      ),
    judge: ({ item, lease }: Reserved, judged: Partial<CreateAnnotationBody>) =>
      answerOf(
        client.POST('/v0/human-annotations', {
          body: {
            ...judged,
            traceId: item.traceId,
            source: 'REVIEW_QUEUE',
            queueItemId: item.id,
            leaseToken: lease.token,
          },
        }),
      ),
    release: ({ item }: Reserved) =>
      answerOf(
        client.DELETE('/v0/human-annotation-queue-items/{id}/lease', {
          params: { path: { id: item.id }, query: { reason: 'SKIP' } },
        }),
      ),
    undo: (id: string) => answerOf(client.DELETE('/v0/human-annotations/{id}', { params: { path: { id } } })),
    extend: ({ item, lease }: Reserved) =>
      answerOf(
        client.PUT('/v0/human-annotation-queue-items/{id}/lease', {
          params: { path: { id: item.id } },
          body: { token: lease.token },
        }),
      ),
  };
}

/** Reserves the items of a queue one after another. `first` is the item to begin with, if it can be reserved. */
export function useReview(queueId: string, first: string | null): Review {
  const calls = useReviewCalls(queueId);
  const [current, setCurrent] = useState<Reserved | null>();
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const [last, setLast] = useState<Review['last']>(null);
  const renewedAt = useRef(0);
  const isBusy = useRef(false);

  const reserve = async (itemId: string | null): Promise<void> => {
    try {
      const next = await calls.next(itemId);
      renewedAt.current = Date.now();
      setCurrent(next?.data ?? null);
      setError(null);
    } catch (failure) {
      // The item of an old address was judged meanwhile.
      if (
        itemId !== null &&
        itemId === first &&
        failure instanceof ApiError &&
        [404, 409].includes(failure.status)
      )
        await reserve(null);
      else setError(failure);
    }
  };

  useEffect(() => {
    void reserve(first);
    // The first item is that of the address when the page opens.
  }, [queueId]);

  /** Runs one change at a time: a second click comes before the button is disabled. */
  const changing = async (change: () => Promise<void>): Promise<boolean> => {
    if (isBusy.current) return false;
    isBusy.current = true;
    setSaving(true);
    try {
      await change();
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  };

  const save = (judged: Partial<CreateAnnotationBody>): Promise<boolean> =>
    changing(async () => {
      if (!current) return;
      const { data } = await calls.judge(current, judged);
      setLast({ id: data.id, itemId: current.item.id });
      await reserve(null);
    });

  const skip = async (): Promise<void> => {
    await changing(async () => {
      if (!current) return;
      await calls.release(current);
      await reserve(null);
    });
  };

  const undo = async (): Promise<void> => {
    await changing(async () => {
      if (last === null) return;
      await calls.undo(last.id);
      setLast(null);
      await reserve(last.itemId);
    });
  };

  const renew = (): void => {
    if (!current || Date.now() - renewedAt.current < RENEW_MS) return;
    renewedAt.current = Date.now();
    const { item } = current;
    calls
      .extend(current)
      .then(
        ({ data }) => setCurrent((shown) => (shown?.item.id === item.id ? { ...shown, lease: data } : shown)),
        setError,
      );
  };

  return { current, error, isSaving, last, reserve, save, skip, undo, renew };
}
