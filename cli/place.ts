import { Option } from 'commander';
import { SolpackError } from '../lib/errors.ts';
import { certificatesIn } from '../lib/http/authorities.ts';
import { readFile } from '../lib/open-file.ts';
import type { Place } from '../lib/place.ts';
import { absolute, usage } from './arguments.ts';
import type { Io } from './io.ts';
import { proxyOf } from './proxy.ts';

/** Options of commands that read an archive from a path or an address. */
export interface PlaceOptions {
  readonly caFile?: string;
}

/** Makes the option `--ca-file`. */
export function caFileOption(): Option {
  return new Option('--ca-file <pem>', "trust these authorities too for https://, beside the system's");
}

/**
 * Returns where the archive is that a user named: http:// or https:// begins an address, everything else is a path.
 * Throws `usage-invalid`.
 */
export async function archivePlace(io: Io, value: string, { caFile }: PlaceOptions): Promise<Place> {
  if (!/^https?:\/\//i.test(value)) {
    if (caFile === undefined) return absolute(io, value);
    throw usage('--ca-file', 'is for archives at https://', 'leave it out');
  }
  if (!URL.canParse(value)) {
    throw new SolpackError('usage-invalid', value, 'is not an address', { hint: 'write https://HOST/PATH' });
  }
  const proxy = proxyOf(io);
  return {
    url: new URL(value),
    proxy,
    ...(caFile === undefined ? {} : { ca: await authorities(absolute(io, caFile)) }),
  };
}

/** Reads the certificates in a PEM file, as text. Throws `usage-invalid` where it holds none, or an unreadable one. */
async function authorities(path: string): Promise<string> {
  const text = Buffer.from(await readFile(path)).toString();
  const certificates = certificatesIn(text);
  // Few commands need this module, which takes a while to load.
  const { X509Certificate } = await import('node:crypto');
  try {
    if (certificates.length === 0) throw new Error('it has none');
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch (cause) {
    throw new SolpackError('usage-invalid', path, 'does not hold certificates in PEM form', {
      cause,
      hint: 'name the file of the authority that signed the certificate of the server',
    });
  }
  return certificates.join('\n');
}
