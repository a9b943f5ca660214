import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hexOf, sha256 } from '../../formats/digest.ts';
import type { Signer } from '../../lib/parts/trust/index.ts';
import { encodeReleaseProvenance, type Released } from './provenance.ts';
import { signRelease } from './sign.ts';

/**
 * Writes where the files in `folder` come from, and then the sums of all of them; signs both, where there is somebody
 * to sign.
 */
export async function describeRelease(folder: string, released: Released, signer: Signer | undefined): Promise<void> {
  const names = readdirSync(folder).sort();
  writeFileSync(join(folder, 'provenance.json'), encodeReleaseProvenance(folder, names, released));
  const line = (name: string): string => `${hexOf(sha256(readFileSync(join(folder, name))))}  ${name}\n`;
  const sums = [...names, 'provenance.json'].sort().map(line);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  if (signer) await signRelease(folder, signer);
}
