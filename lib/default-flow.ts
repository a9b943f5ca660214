import { tmpdir } from 'node:os';
import type { OnEvent } from './kernel/events/events.ts';
import type { Flow } from './kernel/events/flow.ts';
import { pathFolders } from './kernel/events/host.ts';

/**
 * Makes a `Flow` of this process: it looks for programs on its PATH, and puts temporary files where the system has
 * them. Without a `signal` nothing ends it; without `onEvent` its events are dropped.
 */
export function defaultFlow({ signal, onEvent }: { signal?: AbortSignal; onEvent?: OnEvent } = {}): Flow {
  return {
    signal: signal ?? new AbortController().signal,
    onEvent: onEvent ?? (() => undefined),
    host: { path: pathFolders(process.env['PATH']), temp: tmpdir() },
  };
}
