import type { Sink } from '../../cli/io.ts';

/** A sink that is not a terminal, and keeps nothing. */
export const silentSink: Sink = {
  isTTY: false,
  isAscii: false,
  columns: 80,
  rows: 24,
  write: () => undefined,
  status: () => undefined,
  send: async () => undefined,
  flush: async () => undefined,
};
