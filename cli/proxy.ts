import { proxiesOf } from '../lib/command.ts';
import { type FindProxy, SolpackError } from '../lib/index.ts';
import type { Io } from './io.ts';

/** The line about proxies in the help of a command. */
export const proxyEnvironment = '  HTTP_PROXY, HTTPS_PROXY, NO_PROXY  proxies, and addresses that need none';

/** Returns how proxies are found, by the environment. Throws `usage-invalid` where a variable is invalid. */
export function proxyOf({ env }: Io): FindProxy {
  const either = (name: string): string | undefined => env[name] || env[name.toLowerCase()];
  const proxy = proxiesOf({ http: either('HTTP_PROXY'), https: either('HTTPS_PROXY'), no: either('NO_PROXY') });
  if (typeof proxy !== 'string') return proxy;
  const [name = '', ...why] = proxy.split(' ');
  throw new SolpackError('usage-invalid', name, why.join(' '), { hint: 'write http://HOST:PORT, or unset it' });
}
