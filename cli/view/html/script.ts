import { html } from './markup.ts';

/**
 * What runs on a page: it shows the field for searching, which is of no use without it, and hides rows that have not
 * what is asked for.
 */
export const pageScript = html`
for (const box of document.querySelectorAll('[data-search]')) {
  const input = box.querySelector('input');
  const status = box.querySelector('[role="status"]');
  const rows = [...document.getElementById(box.dataset.search).tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  box.hidden = false;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(' ').filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every((word) => texts[at].includes(word));
      if (!row.hidden) shown += 1;
    });
    status.textContent = words.length === 0 ? '' : shown + ' of ' + rows.length;
  });
}
`;
