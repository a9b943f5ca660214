import type { Sink } from '../../cli/io.ts';

/** A sink, and what it was given. */
export interface ShownSink extends Sink {
  /** What was written, by lines. */
  lines(): string[];
  /** What is shown now, and will be removed. */
  shown(): readonly string[];
}

/** Makes a sink that keeps what it is given; a terminal of 80 x 24 with UTF-8, unless it is said otherwise. */
export function shownSink(like: Partial<Pick<Sink, 'isTTY' | 'isAscii' | 'columns' | 'rows'>> = {}): ShownSink {
  const size = { isTTY: true, isAscii: false, columns: 80, rows: 24, ...like };
  let text = '';
  let shown: readonly string[] = [];
  const sink = {
    write: (more: string) => {
      shown = [];
      text += more;
    },
    status: (lines: readonly string[]) => {
      if (size.isTTY) shown = lines;
    },
    send: async () => undefined,
    flush: async () => undefined,
    lines: () => text.split('\n').slice(0, -1),
  };
  return { ...size, ...sink, shown: () => shown };
}
