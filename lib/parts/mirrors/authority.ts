import * as fs from 'node:fs/promises';
import { utf8 } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { lend } from '../../kernel/events/index.ts';
import { enterBelow, type HeldFolder, writeIn } from '../../kernel/files/index.ts';
import { readUnlinked, unlessNone } from './small-file.ts';

/** Certificates of authorities, as a file beside a `hosts.toml`. */
export interface Authority {
  /** By their digest, so that a file never changes what it holds. */
  readonly name: string;
  readonly pem: string;
}

const OWN = /^solpack-[0-9a-f]{16}\.pem$/;

/**
 * Names certificates in PEM. containerd would take a `*.crt` for one of every server, and so they are called `*.pem`.
 */
export function authorityOf(pem: string): Authority {
  const digest = sha256(pem).slice('sha256:'.length);
  return { name: `solpack-${digest.slice(0, 16)}.pem`, pem };
}

/** Decides whether these authorities lie in the folder `place` below `root`, and no others of solpack. */
export async function hasAuthority(root: HeldFolder, place: string, wanted: readonly Authority[]): Promise<boolean> {
  return lend(await enterBelow(root, place), async (folder) => {
    const there = (await folder.names()).filter((name) => OWN.test(name)).sort();
    const names = [...new Set(wanted.map(({ name }) => name))].sort();
    if (there.join() !== names.join()) return false;
    for (const { name, pem } of wanted) if ((await textIn(folder, name)) !== pem) return false;
    return true;
  });
}

/** Writes them into a folder, where they do not lie there already. */
export async function writeAuthority(folder: HeldFolder, { name, pem }: Authority): Promise<void> {
  if ((await textIn(folder, name)) !== pem) await writeIn(folder, name, utf8(pem));
}

/** Removes all others that solpack wrote into a folder. */
export async function dropAuthorities(folder: HeldFolder, kept: readonly Authority[]): Promise<void> {
  for (const name of await folder.names()) {
    if (OWN.test(name) && !kept.some((one) => one.name === name)) await fs.unlink(folder.at(name));
  }
}

async function textIn(folder: HeldFolder, name: string): Promise<string | undefined> {
  return (await readUnlinked(folder, name).catch(unlessNone))?.text;
}
