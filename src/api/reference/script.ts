/** Script of the API reference: the theme that the dashboard stores, and the search of operations. */
export const REFERENCE_SCRIPT = `const chosen = localStorage.getItem('touchstone.theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
const search = document.getElementById('search');
const none = document.getElementById('none');
const groups = [...document.querySelectorAll('nav details')];
search.hidden = false;
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  let shown = 0;
  for (const group of groups) {
    let inGroup = 0;
    for (const item of group.querySelectorAll('li')) {
      item.hidden = !words.every((word) => item.dataset.words.includes(word));
      if (!item.hidden) inGroup += 1;
    }
    group.hidden = inGroup === 0;
    group.open = words.length > 0 && inGroup > 0;
    shown += inGroup;
  }
  none.hidden = shown > 0;
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === search || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  search.focus();
});
`;
