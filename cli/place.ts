import { Option } from 'commander';
import { archiveNamed, certificatesIn, readFile } from '../lib/command.ts';
import {
  type ArchivePlace,
  type MediaContext,
  type RegistryPlace,
  type RemotePlace,
  SolpackError,
} from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import type { Io } from './io.ts';
import { proxyOf } from './proxy.ts';

/** Options of commands that read an archive from a path or an address. */
export interface PlaceOptions {
  readonly caFile?: string;
}

/** Makes the option `--ca-file`. */
export function caFileOption(): Option {
  return new Option('--ca-file <pem>', "trust these authorities for https://, in addition to the system's");
}

/**
 * Returns where the one archive is that a user named: an address, a path of a file, a device or a folder, or a pattern
 * or a folder that stands for one archive; with `connect`, also a reference. Throws `usage-invalid`, `file-missing`.
 */
export async function archivePlace(
  io: Io,
  value: string,
  { caFile }: PlaceOptions,
  connect?: RegistryPlace['connect'],
): Promise<ArchivePlace> {
  if (caFile !== undefined && !/^https?:\/\//i.test(value)) {
    throw usage('--ca-file', 'is for archives at https://', 'leave it out');
  }
  return archiveNamed(value, mediaContext(io, caFile, connect));
}

/** Returns where the archives are that may have what a delta lacks. Throws as `archivePlace`. */
export async function basePlaces(
  io: Io,
  values: readonly string[] = [],
  connect?: RegistryPlace['connect'],
): Promise<ArchivePlace[]> {
  return Promise.all(values.map((value) => archivePlace(io, value, {}, connect)));
}

/** Says how archives are found that users name: from the working directory on, and with `connect` in registries too. */
export function mediaContext(io: Io, caFile?: string, connect?: RegistryPlace['connect']): MediaContext {
  const reach = (url: URL): Promise<RemotePlace> => remotePlace(io, url, caFile);
  return {
    base: io.cwd,
    reach,
    ...(connect ? { connect: (reference) => ({ reference, connect }) } : {}),
  };
}

/** Says how an address is reached: by the proxies of the environment, and with these authorities. */
async function remotePlace(io: Io, url: URL, caFile?: string): Promise<RemotePlace> {
  const ca = caFile === undefined ? {} : { ca: await authorities(absolute(io, caFile)) };
  return { url, proxy: proxyOf(io), ...ca };
}

/** Reads the certificates in a PEM file, as text. Throws `usage-invalid` where it holds none, or an unreadable one. */
export async function authorities(path: string): Promise<string> {
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
