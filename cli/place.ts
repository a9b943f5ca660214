import { Option } from 'commander';
import { SolpackError } from '../lib/errors.ts';
import { certificatesIn } from '../lib/http/authorities.ts';
import { readFile } from '../lib/open-file.ts';
import { isInRegistry, type Place, type RemotePlace } from '../lib/place.ts';
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
 * Returns where the one archive is that a user named: an address, a path of a file, a device or a folder, or a pattern or
 * a folder that stands for one archive. Throws `usage-invalid`, `file-missing`.
 */
export async function archivePlace(io: Io, value: string, { caFile }: PlaceOptions): Promise<Place> {
  if (caFile !== undefined && !/^https?:\/\//i.test(value)) {
    throw usage('--ca-file', 'is for archives at https://', 'leave it out');
  }
  const { archiveNamed } = await import('../lib/solutions/media/index.ts');
  const place = await archiveNamed(value, { base: io.cwd, reach: (url) => remotePlace(io, url, caFile) });
  if (isInRegistry(place)) throw usage(value, 'is in a registry', 'name a file');
  return place;
}

/** Says how an address is reached: by the proxies of the environment, and with these authorities. */
export async function remotePlace(io: Io, url: URL, caFile?: string): Promise<RemotePlace> {
  const ca = caFile === undefined ? {} : { ca: await authorities(absolute(io, caFile)) };
  return { url, proxy: proxyOf(io), ...ca };
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
