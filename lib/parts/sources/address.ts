import { FormatError } from '../../../formats/error.ts';

/**
 * Reads the address of a file, which may be relative to `base`. Throws `FormatError` `address-invalid` for what is no
 * `https://` or `http://` address, and for one with a login in it, which would end up in the lock.
 */
export function parseAddress(value: string, base?: URL): URL {
  if (!URL.canParse(value, base?.href)) throw invalid(value, 'is not an address');
  const url = new URL(value, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid(value, `is of the kind ${url.protocol}//`);
  if (url.username !== '' || url.password !== '') {
    throw invalid(`${url.protocol}//${url.host}${url.pathname}`, 'includes a login: put it into a file of logins');
  }
  url.hash = '';
  return url;
}

function invalid(value: string, why: string): FormatError {
  return new FormatError('address-invalid', `${value} ${why}`);
}
