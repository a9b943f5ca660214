import { invalid } from './kind.ts';

/** How many lines one file may have: the databases of the largest images have a quarter of it. */
const LINE_LIMIT = 2_000_000;

/** Lines without all of them in memory at once. Throws `FormatError` `packages-invalid` where there are too many. */
export function* lines(text: string): Generator<string> {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    count += 1;
    if (count > LINE_LIMIT) throw invalid(`more than ${LINE_LIMIT} lines`);
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    yield text.slice(at, stop);
    at = stop + 1;
  }
}
