import { SolpackError } from '../../errors.ts';
import { type ObjectName, wordsOf } from './api.ts';
import { type ApplySession, now, pause } from './session.ts';

/** An object whose kind has to be served, and the milliseconds that this may take. */
export interface Expected {
  readonly name: ObjectName;
  readonly timeout: number;
}

/**
 * Repeats discovery until the server serves the kinds of all objects: a definition is established before its kind is
 * served. Throws `object-not-ready` for an object whose kind takes too long.
 */
export async function untilServed(expected: readonly Expected[], session: ApplySession): Promise<void> {
  const { api, flow, timing } = session;
  const start = now();
  for (;;) {
    const discovery = await api.discover(flow.signal, true);
    const first = expected.find(({ name }) => discovery.find(name.apiVersion, name.kind) === undefined);
    if (first === undefined) return;
    if (now() >= start + first.timeout) {
      const { apiVersion, kind } = first.name;
      throw new SolpackError(
        'object-not-ready',
        wordsOf(first.name),
        `its kind is defined, but after ${Math.round(first.timeout / 1000)} s the API server does not serve ${kind} (${apiVersion}) yet`,
        { hint: 'run the same command again; if that does not help, look into the log of the API server' },
      );
    }
    await pause(timing.poll, session);
  }
}
