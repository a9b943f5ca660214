import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isInnerAddress } from './private-hosts.ts';
import { RedirectError } from './transport-errors.ts';

/**
 * Returns what finds addresses for a name that the server at `from` has named: one of this machine, or of its own link, is refused,
 * whatever the name looks like. It is what is then connected to, so that nobody can say something else the next time. Its error is
 * `RedirectError`.
 */
export function outsideLookup(from: URL): LookupFunction {
  return (host, options, done) =>
    lookup(host, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const inner = error ? undefined : addresses.find((address) => isInnerAddress(address));
      if (inner === undefined) return done(error, found, family);
      return done(
        new RedirectError(from, `leads to ${host} (${inner}), which only the machine itself should reach`),
        [],
      );
    });
}
