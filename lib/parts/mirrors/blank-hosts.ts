import { BLANK } from '../../kernel/events/index.ts';
import { headersIn } from './endpoints-in.ts';

/**
 * Returns a `hosts.toml` as it may be shown: what is sent in headers is blanked, and then the digest of solpack's first
 * line too, because passwords could be tried against it.
 */
export function blankHosts(text: string): string {
  const secrets = headersIn(text);
  const blanked = secrets
    .reduce((rest, secret) => rest.replaceAll(secret, BLANK), text)
    // Text that is no TOML may hold a password all the same.
    .replace(/^([ \t]*["']?authorization["']?[ \t]*=)[^\n]*/gim, `$1 "${BLANK}"`);
  return blanked === text ? text : blanked.replace(/sha256:[0-9a-f]{64}/, BLANK);
}
