import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isInnerAddress, isPrivateAddress } from './private-hosts.ts';
import { RedirectError } from './transport-errors.ts';

/**
 * Returns what finds addresses for a name that the server at `from` has named: those of this machine, or of its own
 * link, are left out, whatever the name looks like; with `outside`, also those of private networks. What is left is
 * then connected to, so that nobody can say something else the next time. Where nothing is left, its error is
 * `RedirectError`.
 */
export function outsideLookup(from: URL, outside: boolean = false): LookupFunction {
  const isRefused = (address: string): boolean => isInnerAddress(address) || (outside && isPrivateAddress(address));
  return (host, options, done) =>
    lookup(host, options, (error, found, family) => {
      if (error) return done(error, found, family);
      const all = Array.isArray(found) ? found : [{ address: found, family: family ?? 0 }];
      const left = all.filter(({ address }) => !isRefused(address));
      if (all.length > 0 && left.length === 0) return done(refusal(from, host, all[0]!.address), []);
      return Array.isArray(found) ? done(null, left) : done(null, found, family);
    });
}

function refusal(from: URL, host: string, address: string): RedirectError {
  if (isInnerAddress(address)) {
    return new RedirectError(from, `leads to ${host} (${address}), which only the machine itself should reach`);
  }
  return new RedirectError(
    from,
    `leads to ${host} (${address}), an address of a private network`,
    'configure the server with a host that everybody reaches, or use its own address in that network',
  );
}
