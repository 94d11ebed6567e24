import { type RefObject, useEffect, useRef } from 'react';

/**
 * Returns a ref for the palette. It keeps the selected entry named to screen readers: while letters follow each other quickly,
 * cmdk continues to name an entry that is no longer shown.
 */
export function useSelectedEntry(): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (root.current === null) return undefined;
    const observer = new MutationObserver(() => nameSelected(root.current));
    observer.observe(root.current, {
      subtree: true,
      childList: true,
      attributeFilter: ['aria-selected', 'aria-activedescendant'],
    });
    return () => observer.disconnect();
  }, []);
  return root;
}

function nameSelected(root: HTMLElement | null): void {
  const id = root?.querySelector('[role="option"][aria-selected="true"]')?.id;
  for (const element of root?.querySelectorAll('[aria-activedescendant]') ?? []) {
    if (id !== undefined && element.getAttribute('aria-activedescendant') !== id)
      element.setAttribute('aria-activedescendant', id);
  }
}
