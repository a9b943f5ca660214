import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallSolution, succeeds } from '../cli.ts';
import { writePrograms } from '../installer.ts';
import type { Held, Vector } from './vector.ts';

/** A vector that `pack` and `sign` make, and how. */
interface Recipe {
  readonly file: string;
  readonly keys: readonly string[];
  readonly source?: 'sparse' | 'sbom';
  readonly pack?: readonly string[];
  /** Keys that sign after it was packed. */
  readonly sign?: readonly string[];
}

const programs = ['--with-installer', 'linux/amd64,linux/arm64', '--installer-from', 'programs'];

const recipes: readonly Recipe[] = [
  { file: 'unsigned.iso', keys: [] },
  { file: 'unsigned.tar', keys: [] },
  { file: 'p256.iso', keys: ['p256.pub'], sign: ['p256'] },
  { file: 'p256.tar', keys: ['p256.pub'], sign: ['p256'] },
  { file: 'ed25519.iso', keys: ['ed25519.pub'], sign: ['ed25519'] },
  { file: 'ed25519.tar', keys: ['ed25519.pub'], sign: ['ed25519'] },
  { file: 'two-signatures.iso', keys: ['ed25519.pub'], sign: ['p256', 'ed25519'] },
  { file: 'two-signatures.tar', keys: ['p256.pub', 'ed25519.pub'], sign: ['p256', 'ed25519'] },
  { file: 'sparse.iso', keys: [], source: 'sparse' },
  { file: 'sparse.tar', keys: [], source: 'sparse' },
  { file: 'sbom.iso', keys: ['p256.pub'], source: 'sbom', sign: ['p256'] },
  { file: 'sbom.tar', keys: ['p256.pub'], source: 'sbom', sign: ['p256'] },
  { file: 'installer.iso', keys: [], pack: programs },
  { file: 'installer.tar', keys: [], pack: programs },
];

/** Makes the good vectors in `folder`, which has the keys. */
export async function makeGood(folder: string): Promise<Vector[]> {
  await writeSources(folder);
  const vectors: Vector[] = [];
  for (const { file, keys, source = 'plain', pack = [], sign = [] } of recipes) {
    await succeeds(['pack', source, '-o', file, '--quiet', '--workers', '1', ...pack], { cwd: folder });
    for (const key of sign) {
      await succeeds(['sign', file, '--quiet', '--private-key', `${key}.key`], { cwd: folder });
    }
    vectors.push({ file, keys, holds: await heldBy(join(folder, file)) });
  }
  return vectors;
}

/** What solpack lists of an archive. */
async function heldBy(path: string): Promise<Held> {
  const told = JSON.parse(await succeeds(['inspect', path, '--json']));
  const names = (list: readonly { name?: string; reference?: string; keyId?: string }[]): string[] =>
    list.map(({ name, reference, keyId }) => name ?? reference ?? keyId!);
  return {
    name: told.name,
    version: told.version,
    root: told.root,
    components: names(told.components),
    images: names(told.images),
    attestations: names(told.attestations),
    signers: names(told.signatures),
  };
}

async function writeSources(folder: string): Promise<void> {
  for (const source of ['plain', 'sparse', 'sbom']) await smallSolution(join(folder, source));
  const of = (source: string): string => join(folder, source, 'solution.toml');
  const first = readFileSync(of('sparse'), 'utf8');
  writeFileSync(
    of('sparse'),
    first.replace(/^source = .*$/m, (line) => `${line}\nplatforms = ["linux/amd64"]`),
  );
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components: [] };
  writeFileSync(join(folder, 'sbom/hello.cdx.json'), JSON.stringify(bom));
  copyFileSync(join(folder, 'sbom/hello.cdx.json'), join(folder, 'sbom/web.cdx.json'));
  appendFileSync(join(folder, 'sbom/web.cdx.json'), '\n');
  const plain = readFileSync(of('sbom'), 'utf8');
  const own = plain.replace('version = "1.0.0"\n', 'version = "1.0.0"\nsbom = "hello.cdx.json"\n');
  writeFileSync(
    of('sbom'),
    own.replace(/^source = .*$/m, (line) => `${line}\nsbom = "web.cdx.json"`),
  );
  writePrograms(join(folder, 'programs'));
}
