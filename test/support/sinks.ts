import type { Sink } from '../../cli/io.ts';

/** A sink that is no terminal, and keeps nothing. */
export const silentSink: Sink = {
  isTTY: false,
  columns: 80,
  write: () => undefined,
  status: () => undefined,
  send: async () => undefined,
  flush: async () => undefined,
};
