import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { find, run } from './judges.ts';

/** What a browser made of a page. */
export interface Shown {
  /** The document as it was parsed, and as its script left it. */
  readonly dom: string;
  /** What the browser said on its console, refusals of the policy among it. */
  readonly told: readonly string[];
}

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  ...['--disable-background-networking', '--disable-extensions', '--enable-logging=stderr', '--v=0'],
];

/** Opens a page in Chromium, in a profile below `folder`, in a window of a width in pixels. */
export async function showPage(folder: string, text: string, width = 1280): Promise<Shown> {
  const file = join(folder, 'shown.html');
  writeFileSync(file, text);
  const profile = `--user-data-dir=${join(folder, 'profile')}`;
  const more = [profile, `--window-size=${width},900`, '--virtual-time-budget=30000', '--dump-dom'];
  const { stdout, stderr } = await run('chromium', [...flags, ...more, pathToFileURL(file).href]);
  return { dom: stdout, told: stderr.split('\n').filter((line) => line.includes('CONSOLE')) };
}

/**
 * Runs a script in a page, and returns the JSON that its promise gives. The policy is taken out of the page for that:
 * it would let nobody else's script run.
 */
export async function askPage<T>(folder: string, text: string, script: string, width?: number): Promise<T> {
  const open = text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
  const asked = `<script>(async () => { ${script} })().then((value) => {
    const answer = document.createElement('pre');
    answer.id = 'answer';
    answer.textContent = encodeURIComponent(JSON.stringify(value));
    document.documentElement.replaceChildren(answer);
  });</script></body>`;
  const { dom, told } = await showPage(
    folder,
    open.replace(/<\/body>(?![\s\S]*<\/body>)/, () => asked),
    width,
  );
  const answer = /<pre id="answer">([^<]*)<\/pre>/.exec(dom)?.[1];
  if (answer === undefined) throw new Error(`the page gave no answer: ${told.join('\n')}`);
  return JSON.parse(decodeURIComponent(answer)) as T;
}

/** A page that shows another one in a frame so many pixels wide: no window of Chromium is narrower than 500. */
function framed(text: string, width: number): string {
  const quoted = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><body><iframe width="${width}" height="4000" srcdoc="${quoted}"></iframe></body>`;
}

/** Tells how much wider a page is than a screen of so many pixels. */
export async function overhangOf(folder: string, text: string, width: number): Promise<number> {
  // Before its page, a frame has an empty one, which is complete as well. A bar for scrolling takes room from the page.
  const script = `const frame = document.querySelector('iframe');
    const isThere = () => frame.contentDocument.querySelector('footer') && frame.contentDocument.readyState === 'complete';
    while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 10));
    return frame.contentDocument.documentElement.scrollWidth - frame.contentDocument.documentElement.clientWidth;`;
  return askPage<number>(folder, framed(text, width), script, 1600);
}

/**
 * Lists what axe-core finds wrong with a page for people who cannot see it well or use no mouse: rules, and the
 * elements.
 */
export async function barriersOf(folder: string, text: string, width?: number): Promise<string[]> {
  const axe = readFileSync(find('axe-core')!, 'utf8').replaceAll('</script', '<\\/script');
  const script = `${axe};
    for (const one of document.querySelectorAll('details')) one.open = true;
    const { violations } = await axe.run(document);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary));`;
  return askPage<string[]>(folder, text, script, width);
}
