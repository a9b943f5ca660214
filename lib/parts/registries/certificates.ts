import { createPrivateKey, X509Certificate } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, SolpackError, unreadable } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import { certificatesIn, type HostTls } from '../../kernel/http/index.ts';

/** The largest file that is read, in bytes. */
const LIMIT = 4 * 1024 * 1024;

/**
 * Looks up the TLS settings of a host in folders like `/etc/containers/certs.d` and `/etc/docker/certs.d`
 * (containers-certs.d(5)): below `HOST:PORT`, or `HOST` for port 443, `*.crt` are authorities to trust, and a `*.cert`
 * with the `*.key` of the same name is the client's certificate. Authorities of all folders count, and the first client
 * certificate. Throws `certificate-invalid`.
 */
export function certificatesFrom(folders: readonly string[]): (host: string) => Promise<HostTls> {
  return async (host) => {
    const ca: string[] = [];
    let certificate: HostTls['certificate'];
    // A URL leaves out the port that is usual, and folders may name it.
    const names = /:\d+$/.test(host) ? [host] : [host, `${host}:443`];
    for (const folder of folders.flatMap((root) => names.map((name) => join(root, name)))) {
      const files = await filesOf(folder);
      for (const file of files.filter((name) => name.endsWith('.crt'))) ca.push(await authority(join(folder, file)));
      for (const file of files.filter((name) => name.endsWith('.cert'))) {
        certificate ??= await ownCertificate(join(folder, file), files.includes(keyName(file)));
      }
    }
    return { ca, ...(certificate ? { certificate } : {}) };
  };
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    throw unreadable(folder, error);
  }
}

async function authority(path: string): Promise<string> {
  const pem = await textOf(path);
  const blocks = certificatesIn(pem);
  return parsed(path, 'certificates in PEM form', () => {
    if (blocks.length === 0) throw new Error('it has none');
    for (const block of blocks) new X509Certificate(block);
    return blocks.join('\n');
  });
}

async function ownCertificate(path: string, keyed: boolean): Promise<NonNullable<HostTls['certificate']>> {
  const keyPath = keyName(path);
  if (!keyed) {
    throw new SolpackError('certificate-invalid', path, 'has no key beside it', {
      hint: `put it there as ${keyPath}; an authority to trust has to be called *.crt`,
    });
  }
  const certificate = await textOf(path);
  const key = await textOf(keyPath);
  return parsed(path, `a PEM certificate that matches the key beside it`, () => {
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) throw new Error('of another key');
    return { certificate, key };
  });
}

function keyName(path: string): string {
  return path.replace(/\.cert$/, '.key');
}

async function textOf(path: string): Promise<string> {
  return Buffer.from(await readFile(path, LIMIT)).toString();
}

function parsed<T>(path: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new SolpackError('certificate-invalid', path, `does not hold ${what}`, {
      cause,
      hint: 'correct or remove the file',
    });
  }
}
