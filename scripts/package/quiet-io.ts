import type { Io, Sink } from '../../cli/io.ts';
import { createRunLog } from '../../cli/run-log.ts';

/** Makes the surroundings of a command line that is only looked at. */
export function quietIo(): Io {
  const sink: Sink = {
    isTTY: false,
    isAscii: false,
    columns: 80,
    rows: 24,
    write: () => undefined,
    status: () => undefined,
    send: async () => undefined,
    flush: async () => undefined,
  };
  const log = createRunLog(() => undefined);
  return { argv: [], env: {}, cwd: '/', stdout: sink, stderr: sink, signal: new AbortController().signal, log };
}
