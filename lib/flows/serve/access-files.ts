import { type PasswordFile, parsePasswordFile } from '../../../formats/htpasswd/password-file.ts';
import { refused } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import type { TlsFiles } from '../../parts/registry-server/index.ts';

/** Reads a certificate and its key. Throws `file-missing`, `file-unreadable`. */
export async function readTls(paths: TlsFiles): Promise<TlsFiles> {
  const [certificate, key] = await Promise.all([readFile(paths.certificate), readFile(paths.key)]);
  return { certificate: Buffer.from(certificate).toString(), key: Buffer.from(key).toString() };
}

/** Reads the users of the registry. Throws `passwords-invalid`, `file-missing`, `file-unreadable`. */
export async function readUsers(path: string): Promise<PasswordFile> {
  const text = Buffer.from(await readFile(path)).toString();
  const hint = 'make a line with: printf "%s:%s\\n" NAME "$(openssl passwd -6)"';
  return refused('passwords-invalid', path, () => parsePasswordFile(text), hint);
}
