import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { installerFileOf } from '../../../formats/solution/installer.ts';
import { solutionTypes } from '../../../formats/solution/metadata.ts';
import { SolpackError, unreadable } from '../../kernel/events/index.ts';
import { loadPublicKey } from '../../parts/trust/index.ts';
import type { Content } from './content.ts';

/** Most keys that an installer has. */
const MOST = 16;

/**
 * Adds the public keys `NAME.pub` of a folder to the content, each in its one form, and returns them as layers. Throws
 * `key-invalid`, and `installer-invalid` for a name that no archive has.
 */
export async function installerKeys(folder: string | undefined, content: Content): Promise<Descriptor[]> {
  if (folder === undefined) return [];
  const names = await fs.readdir(folder).catch((error) => {
    throw unreadable(folder, error);
  });
  const keys = names.filter((name) => name.endsWith('.pub')).sort();
  if (keys.length > MOST) throw invalid(folder, `has ${keys.length} public keys, and an installer at most ${MOST}`);
  const layers: Descriptor[] = [];
  for (const name of keys) {
    const full = join(folder, name);
    const path = `bin/${name}`;
    if (installerFileOf(path) === undefined) throw invalid(full, 'has a name that no key in an archive has');
    const { key } = await loadPublicKey(full);
    const pem = Buffer.from(key.export({ type: 'spki', format: 'pem' }) as string);
    layers.push({ ...content.addBytes(pem, solutionTypes.file, full), annotations: { [annotations.title]: path } });
  }
  return layers;
}

function invalid(path: string, message: string): SolpackError {
  return new SolpackError('installer-invalid', path, message, {
    hint: 'name keys by lower-case letters, digits, ".", "-" and "_", and leave only the keys to include there',
  });
}
