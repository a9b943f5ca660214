import { invalidPackages } from './kind.ts';

/** How many lines a file may have. The databases of the largest images have a quarter of it. */
const LINE_LIMIT = 2_000_000;

/** Yields the lines of `text` one by one. Throws `FormatError` `packages-invalid` if there are too many. */
export function* lines(text: string): Generator<string> {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    count += 1;
    if (count > LINE_LIMIT) throw invalidPackages(`more than ${LINE_LIMIT} lines`);
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    yield text.slice(at, stop);
    at = stop + 1;
  }
}
