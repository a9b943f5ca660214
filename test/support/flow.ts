import { tmpdir } from 'node:os';
import { type PackRequest, type PackResult, pack } from '../../lib/flows/pack/index.ts';
import type { Event } from '../../lib/kernel/events/events.ts';
import type { Flow } from '../../lib/kernel/events/flow.ts';
import { pathFolders } from '../../lib/kernel/events/host.ts';
import { toolFolder } from './judges.ts';

/** A flow as `cli` makes it, and the events it told. */
export function testFlow(): Flow & { readonly events: Event[] } {
  const events: Event[] = [];
  return {
    events,
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    host: { path: [toolFolder, ...pathFolders(process.env['PATH'])], temp: tmpdir() },
  };
}

/** Packs a definition in this process. */
export function packHere(definition: string, output: string, more: Partial<PackRequest> = {}): Promise<PackResult> {
  const request: PackRequest = {
    definition,
    output,
    created: undefined,
    lock: 'use',
    sign: undefined,
    connect: () => Promise.reject(new Error('this test has no registry')),
    ...more,
  };
  return pack(request, testFlow());
}
