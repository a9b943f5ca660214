import { tmpdir } from 'node:os';
import type { OnEvent } from './kernel/events/events.ts';
import type { Flow } from './kernel/events/flow.ts';
import { pathFolders } from './kernel/events/host.ts';

/**
 * Makes a `Flow` of this process: programs are looked for on its PATH, and temporary files lie where those of the system do. Without a
 * `signal` nothing ends it; without `onEvent` what it reports is not heard.
 */
export function defaultFlow({ signal, onEvent }: { signal?: AbortSignal; onEvent?: OnEvent } = {}): Flow {
  return {
    signal: signal ?? new AbortController().signal,
    onEvent: onEvent ?? (() => undefined),
    host: { path: pathFolders(process.env['PATH']), temp: tmpdir() },
  };
}
