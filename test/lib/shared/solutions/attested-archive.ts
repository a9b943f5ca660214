import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackRequest } from '../../../../lib/flows/pack/index.ts';
import { type Verification, verify } from '../../../../lib/flows/verify/index.ts';
import { openArchive } from '../../../../lib/parts/archives/index.ts';
import {
  generateKey,
  loadPrivateKey,
  type PrivateKey,
  type PublicKey,
  trustInKeys,
} from '../../../../lib/parts/trust/index.ts';
import { packHere, testFlow } from '../../../support/flow.ts';

/** A new key, in a file of `folder`. */
export async function newKey(folder: string, name: string): Promise<PrivateKey> {
  const path = join(folder, `${name}.key`);
  writeFileSync(path, generateKey('ecdsa-p256-sha256').privatePem);
  return loadPrivateKey(path);
}

/** Adds lines before the first list of a definition. */
export function addToDefinition(folder: string, lines: string): void {
  const path = join(folder, 'solution.toml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('\n[[images]]', `${lines}\n\n[[images]]`));
}

/** Packs `folder` to the file `to`. */
export async function packTo(folder: string, to: string, more: Partial<PackRequest> = {}): Promise<string> {
  await packHere(join(folder, 'solution.toml'), to, more);
  return to;
}

/** What `verify` says, for keys. */
export function verified(archive: string, ...keys: PublicKey[]): Promise<Verification> {
  return verify({ archive, trust: trustInKeys(keys, 0) }, testFlow());
}

/** Where a file of an archive lies. */
export async function extentOf(archive: string, path: string): Promise<{ offset: number; size: number }> {
  await using opened = await openArchive(archive);
  const [extent] = (await opened.tree.lookup(path))?.extents ?? [];
  if (!extent) throw new Error(`${archive} has no ${path}`);
  return extent;
}

/** Changes bytes of an archive. */
export async function change(archive: string, path: string, how: (bytes: Buffer) => void): Promise<void> {
  const { offset, size } = await extentOf(archive, path);
  const bytes = readFileSync(archive);
  how(bytes.subarray(offset, offset + size));
  writeFileSync(archive, bytes);
}
