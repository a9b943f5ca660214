import type { Bytes } from '../bytes.ts';
import { definitionsIn } from './definitions.ts';
import { chartLimits } from './limits.ts';
import type { AskedApi, ChartMentions } from './text-traits.ts';
import { chartTexts } from './texts.ts';

const ASKED = /\bAPIVersions\.Has[ \t]+\(?["'`]([\w./-]{1,253})["'`]/g;
const COMMENT = /\{\{-?\s?\/\*/;

/** Reads what the templates of a packed chart (`.tgz`) mention. Throws `FormatError` `chart-invalid`. */
export async function chartMentions(bytes: Bytes): Promise<ChartMentions> {
  const defines = new Set<string>();
  const found = new Map<string, Omit<AskedApi, 'library'>>();
  const libraries = new Set<string>();
  for await (const { path, text } of chartTexts(bytes, { left: chartLimits.total })) {
    if (path.endsWith('/Chart.yaml') && /^type: *["']?library\b/m.test(text))
      libraries.add(path.slice(0, -'/Chart.yaml'.length));
    const at = path.lastIndexOf('/templates/');
    if (at < 0 || path.endsWith('NOTES.txt')) continue;
    for (const { group, kind } of definitionsIn(text)) defines.add(`${group}/${kind}`);
    for (const [, api] of withoutComments(text).matchAll(ASKED)) {
      found.set(`${api} ${path}`, { api: api!, template: path, chart: path.slice(0, at) });
    }
  }
  const asks = [...found.values()].map((one) => ({ ...one, library: libraries.has(one.chart) }));
  return { asks, defines: [...defines] };
}

function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split(COMMENT);
  return first + rest.map((part) => part.slice(part.indexOf('*/') + 2)).join('');
}
