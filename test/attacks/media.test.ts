import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { succeeds } from '../support/cli.ts';
import { judged } from '../support/judges.ts';
import { makeIso, makeMedium } from '../support/metalk8s.ts';
import { PATIENCE } from './attack.ts';
import { codeOf, expectPlain, expectRefused, installs, setStage, verdictOf } from './stage.ts';
import { rowOf } from './table.ts';

// Media that were built for MetalK8s carry no signature: what vouches for one is beside it, or in the words of whoever
// installs it.

const stage = setStage('media');
const at = (name: string): string => join(stage.folder, name);
const cwd = stage.folder;
const byKey = ['--key', 'release.pub'];
/** What the key `release` has signed beside, and the same without a signature. */
const [signed, plain] = ['signed.iso', 'plain.iso'] as const;
const beside = '.sigstore.json';

beforeAll(async () => {
  const options = { name: 'hello', images: ['server:1.0.0'] };
  await makeMedium(at('medium'), at(plain), options);
  copyFileSync(at(plain), at(signed));
  await succeeds(['sign', signed, '--private-key', 'release.key'], { cwd });
  await makeMedium(at('other-medium'), at('other.iso'), { ...options, version: '1.0.1' });
  await succeeds(['sign', 'other.iso', '--private-key', 'release.key'], { cwd });
}, PATIENCE);

/** The first layer of an image of the medium. */
function layer(): Buffer {
  const folder = at('medium/root/images/server/1.0.0');
  const { layers } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  return readFileSync(join(folder, layers[0].digest.slice('sha256:'.length)));
}

/** Copies a medium, with what lies beside it, changes the copy, and tells its root after that. */
async function forged(of: string, change: (bytes: Buffer) => unknown = () => undefined): Promise<string> {
  for (const extension of [beside, '.sha256']) rmSync(at(`attack.iso${extension}`), { force: true });
  if (existsSync(at(`${of}${beside}`))) copyFileSync(at(`${of}${beside}`), at(`attack.iso${beside}`));
  const bytes = readFileSync(at(of));
  change(bytes);
  writeFileSync(at('attack.iso'), bytes);
  return rootOf('attack.iso');
}

async function rootOf(name: string): Promise<string> {
  return JSON.parse(await succeeds(['inspect', name, '--json'], { cwd })).root;
}

/** Changes a byte within a text, or a run of bytes, of a medium. */
function changed(bytes: Buffer, where: Buffer): void {
  const place = bytes.indexOf(where);
  expect(place).toBeGreaterThan(0);
  bytes[place + Math.floor(where.length / 2)]! ^= 1;
}

/** Gives the operator of a medium every right on nodes. */
const widened = (bytes: Buffer): unknown => bytes.write("['*', list]", bytes.indexOf('[get, list]'));

/** An attack of the table in docs/attacks.md on a medium, which `forge` leaves as `attack.iso`. */
function mediumAttack(name: string, forge: () => Promise<unknown>): void {
  const { codes, exit } = rowOf(name);
  judged(`${name}: ${codes.join(', ')}, exit status ${exit}`, ['skopeo', 'genisoimage'], async () => {
    await forge();
    await expectRefused(stage, name, 'attack.iso');
  });
}

mediumAttack('a medium that nobody has signed', () => forged(plain));

mediumAttack('a signed medium with a layer that was changed', async () => {
  await forged(signed, (bytes) => changed(bytes, layer()));
});

mediumAttack('a signed medium with roles that were changed', async () => {
  expect(await forged(signed, widened)).not.toBe(await rootOf(signed));
});

mediumAttack('a medium with the signature of another one beside it', async () => {
  await forged(plain);
  copyFileSync(at(`other.iso${beside}`), at(`attack.iso${beside}`));
});

mediumAttack('a medium that a stranger has signed', async () => {
  await forged(plain);
  await succeeds(['sign', 'attack.iso', '--private-key', 'stranger.key'], { cwd });
});

mediumAttack('a medium with junk for a signature beside it', async () => {
  await forged(plain);
  writeFileSync(at(`attack.iso${beside}`), '{"junk": "\u001b[2J"}\n');
});

mediumAttack('a changed medium with a checksum that fits beside it', async () => {
  await forged(signed, widened);
  writeFileSync(at('attack.iso.sha256'), `${sha256(readFileSync(at('attack.iso'))).slice(7)}  attack.iso\n`);
});

judged('a medium of another root than the one that was allowed', ['skopeo', 'genisoimage'], async () => {
  const row = rowOf('a medium of another root than the one that was allowed');
  const allowed = ['--allow-unsigned', await rootOf(plain)];
  expect((await installs(stage, plain, ...byKey, ...allowed)).code).toBe(0);
  rmSync(at('rendered'), { recursive: true });
  expect(await forged(plain, widened)).not.toBe(allowed[1]);
  // Only an install may allow it; with that word alone, and with a key besides.
  for (const trust of [allowed, [...byKey, ...allowed]]) {
    const installed = await installs(stage, 'attack.iso', ...trust);
    expectPlain(installed);
    expect([installed.code, [codeOf(installed)]]).toEqual([row.exit, row.codes]);
  }
  expect(existsSync(at('rendered'))).toBe(false);
});

judged('an allowed medium with a layer that was changed', ['skopeo', 'genisoimage'], async () => {
  const row = rowOf('an allowed medium with a layer that was changed');
  const root = await forged(plain, (bytes) => changed(bytes, layer()));
  // The root is the same: the manifest names the layer by its digest.
  expect(root).toBe(await rootOf(plain));
  const verdict = await verdictOf(stage, 'attack.iso');
  expect([verdict.exit, verdict.codes]).toEqual([row.exit, expect.arrayContaining([...row.codes])]);
  const installed = await installs(stage, 'attack.iso', '--allow-unsigned', root);
  expect([installed.code, codeOf(installed)]).toEqual([row.exit, 'verification-failed']);
  expect(existsSync(at('rendered'))).toBe(false);
});

mediumAttack('a medium with a link that leads out', async () => {
  const folder = at('medium/root/images/server/1.0.0');
  // The config is no other image's, so nothing on the medium stands for it.
  const path = join(folder, JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).config.digest.slice(7));
  const bytes = readFileSync(path);
  writeFileSync(at('outside'), bytes);
  rmSync(path);
  symlinkSync(at('outside'), path);
  await makeIso(at('medium/root'), at('attack.iso'));
  rmSync(path);
  writeFileSync(path, bytes);
  rmSync(at(`attack.iso${beside}`), { force: true });
  await succeeds(['sign', 'attack.iso', '--private-key', 'release.key'], { cwd });
});
