import { createPublicKey } from 'node:crypto';
import { basename } from 'node:path';
import { collect } from '../../../formats/bytes.ts';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { damaged, entryBytes } from '../../parts/archives/index.ts';
import { type PublicKey, publicKeyOf } from '../../parts/trust/index.ts';
import { type ArchivePlace, openFilesAt } from '../../shared/solutions/media/index.ts';
import type { CarriedFile } from './plan.ts';

/** Most bytes of a public key. */
const LIMIT = 64 * 1024;

/** A public key that came with an archive. */
export interface MediumKey extends CarriedFile {
  /** Its fingerprint: the id of the key. */
  readonly keyId: string;
}

/**
 * Reads the public keys that an archive carries with its installer, in `bin/`. Nobody vouches for them yet: whoever
 * uses one has compared its fingerprint. Throws `key-invalid`, `archive-damaged`, and what opening the archive throws.
 */
export async function keysOnMedium(place: ArchivePlace, flow: Flow): Promise<MediumKey[]> {
  return lend(await openFilesAt(place, flow), async (opened) => {
    const { file, tree } = opened;
    try {
      if ((await tree.lookup('bin'))?.type !== 'dir') return [];
      const found: MediumKey[] = [];
      for await (const entry of tree.walk('bin')) {
        flow.signal.throwIfAborted();
        if (entry.type !== 'file' || !entry.path.endsWith('.pub') || entry.size > LIMIT) continue;
        const text = Buffer.from(await collect(entryBytes(file, entry), LIMIT)).toString();
        const { keyId } = keyIn(text, entry.path);
        found.push({ name: nameOf(entry.path, keyId), text, keyId });
      }
      return found;
    } catch (error) {
      throw damaged(file.path, error);
    }
  });
}

/** What a key is called on this machine: as on the medium, unless whoever wrote that chose more than a plain name. */
function nameOf(path: string, keyId: string): string {
  const name = basename(path);
  return /^\w[\w.-]{0,99}$/.test(name) ? name : `${shortKey(keyId)}.pub`;
}

function keyIn(text: string, path: string): PublicKey {
  try {
    return publicKeyOf(createPublicKey(text), path);
  } catch (error) {
    if (error instanceof SolpackError) throw error;
    throw new SolpackError('key-invalid', path, 'is not a public key', {
      hint: 'name another one by --key',
      cause: error,
    });
  }
}
