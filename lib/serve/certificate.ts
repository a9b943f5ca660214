import type { Flow } from '../flow.ts';
import type { TlsFiles } from '../registries/index.ts';
import { readTls } from './settings.ts';
import { stampOf } from './stamp.ts';

/** Whoever shows a certificate. */
export interface Shower {
  /** As `RunningRegistry.renew`. */
  renew(tls: TlsFiles): void;
}

/**
 * Follows the files of a certificate and its key: gives a function that looks at them once, and lets `shower` show what
 * they hold now if they have changed since it was last looked, and not in between. While they do not belong together, as
 * between the writing of one and of the other, what was shown before stays, and the function throws `tls-invalid`.
 */
export async function followCertificate(
  paths: TlsFiles,
  { onEvent }: Flow,
): Promise<(shower: Shower) => Promise<void>> {
  const stamps = async (): Promise<string> => `${await stampOf(paths.certificate)} ${await stampOf(paths.key)}`;
  let shown = await stamps();
  let seen = shown;
  return async (shower) => {
    const now = await stamps();
    const settled = now === seen;
    seen = now;
    if (now === shown || !settled) return;
    shower.renew(await readTls(paths));
    shown = now;
    onEvent({ type: 'notice', subject: paths.certificate, message: 'is shown to clients from now on' });
  };
}
