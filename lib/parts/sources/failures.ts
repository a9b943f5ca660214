import { SolpackError } from '../../kernel/events/index.ts';
import type { ResolvedSource, SourceRequest } from './kind.ts';

/** How messages name what was asked for. */
export function requestWords({ address, version }: SourceRequest): string {
  return version === undefined ? address : `${address} ${version}`;
}

/** Makes the error about an address where there is no such thing. */
export function absentSource(request: SourceRequest, why: string, hint: string): SolpackError {
  return new SolpackError('component-absent', requestWords(request), why, { hint });
}

/** Makes the error about something that is no longer what `solution.lock` says. */
export function movedSource(request: SourceRequest, { digest }: ResolvedSource, now: string): SolpackError {
  return new SolpackError('lock-mismatch', requestWords(request), `${now}, but solution.lock says ${digest}`, {
    hint: 'find out why it changed; "solpack pack --update" accepts what is there now',
  });
}
