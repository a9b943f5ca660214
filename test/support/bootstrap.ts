import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { folderOf, here } from './installer.ts';

/** The archive that docs/bootstrap.md is about. */
export const archiveOnPage = 'guestbook-1.1.0.iso';

/** How the page mounts it. */
export const mountOnPage: string = `-o ro,loop /media/usb/${archiveOnPage} /mnt`;

/**
 * What an operator types: the steps of the page, with the fingerprint of the paper and the platform of this machine.
 */
export function typed(paper: string, more = ''): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/bootstrap.md'), 'utf8');
  const steps = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!);
  const script = steps.join('').replace(/^paper=0+$/m, `paper=${paper}`);
  expect(script).toContain(`paper=${paper}\n`);
  expect(script).toMatch(/^platform=linux-amd64$/m);
  return script.replace(/^platform=.*$/m, `platform=${folderOf(here)}`) + more;
}
