import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { encodeJson } from '../../formats/json.ts';
import { annotations, type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { blobPath, layoutMarker } from '../../formats/oci/layout.ts';
import { encodeIndex, encodeManifest } from '../../formats/oci/manifest.ts';
import { solpack, succeeds } from '../support/cli.ts';
import { ok, scratch } from '../support/judges.ts';
import { noise } from '../support/registry.ts';
import { solpackWords } from '../support/under-test.ts';

const folder = scratch('killed');
const cwd = folder;
const layers = 8;
const expected = new Map<string, Buffer>();

/** An image of layers that take long enough for somebody to come in between. */
function writeImage(): void {
  mkdirSync(join(folder, 'images/blobs/sha256'), { recursive: true });
  const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const descriptor = { mediaType, digest: sha256(bytes), size: bytes.length };
    writeFileSync(join(folder, 'images', blobPath(descriptor.digest)), bytes);
    return descriptor;
  };
  const own = Array.from({ length: layers }, (_, at) =>
    add(mediaTypes.layerGzip, noise(`layer ${at}`, 20 * 2 ** 20 + at)),
  );
  const config = add(mediaTypes.config, encodeJson({ architecture: 'amd64', os: 'linux' }));
  const manifest = add(mediaTypes.manifest, encodeManifest({ config, layers: own }));
  writeFileSync(join(folder, 'images/oci-layout'), layoutMarker);
  writeFileSync(
    join(folder, 'images/index.json'),
    encodeIndex({ manifests: [{ ...manifest, annotations: { [annotations.refName]: 'x:1' } }] }),
  );
  writeFileSync(
    join(folder, 'solution.toml'),
    'name = "x"\nversion = "1.0.0"\n[[images]]\nreference = "registry.example.com/x:1"\nsource = "oci:images:x:1"\n',
  );
}

beforeAll(async () => {
  writeImage();
  for (const name of ['x.iso', 'x.tar']) {
    await succeeds(['pack', '-o', name], { cwd });
    expected.set(name, readFileSync(join(folder, name)));
    rmSync(join(folder, name));
  }
});

const journalOf = (name: string): string => {
  const path = join(folder, `${name}.partial.journal`);
  return existsSync(path) ? readFileSync(path, 'latin1') : '';
};

/** Packs, and ends the run by `signal` as soon as `moment` has come. Returns whether it was still under way. */
async function endedAt(
  name: string,
  moment: () => boolean,
  signal: NodeJS.Signals,
  more: string[] = [],
): Promise<boolean> {
  return (await lastWords(['pack', '-o', name, '-q', ...more], moment, signal)) !== undefined;
}

/**
 * Runs a command, and ends it by `signal` as soon as `moment` has come. Returns what it said then; undefined where it
 * had ended.
 */
async function lastWords(
  args: readonly string[],
  moment: () => boolean,
  signal: NodeJS.Signals,
): Promise<string | undefined> {
  const [program, ...words] = solpackWords;
  const child = spawn(program, [...words, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while (child.exitCode === null && !moment()) await nextTurn();
  child.kill(signal);
  await ended;
  return child.exitCode === 0 ? undefined : said;
}

const doneLines = (name: string): number => journalOf(name).match(/^done /gm)?.length ?? 0;

const moments: [string, (name: string) => boolean][] = [
  ['when the first bytes are there', (name) => existsSync(join(folder, `${name}.partial`))],
  ['when the journal has begun', (name) => journalOf(name) !== ''],
  ['after the first content', (name) => doneLines(name) > 0],
  ['after half of it', (name) => doneLines(name) > layers / 2],
  ['when all is in place', (name) => doneLines(name) >= layers + 3],
];

describe.each(['x.iso', 'x.tar'])('pack --resume of %s', (name) => {
  test.each(moments)('makes the same bytes as a run that nobody killed: %s', async (_, moment) => {
    rmSync(join(folder, name), { force: true });
    const killed = await endedAt(name, () => moment(name), 'SIGKILL', ['--workers', '1']);
    expect(existsSync(join(folder, name))).toBe(!killed);
    const told = await solpack(['pack', '-o', name, '--resume'], { cwd });
    expect(told.code).toBe(0);
    if (killed) expect(told.stderr).toMatch(/note: .*(continues|written from the start)/);
    expect(readFileSync(join(folder, name)).equals(expected.get(name)!)).toBe(true);
    expect(readdirSync(folder).filter((file) => file.includes('partial'))).toEqual([]);
  });

  test('keeps what was done when it is killed twice', async () => {
    rmSync(join(folder, name), { force: true });
    await endedAt(name, () => doneLines(name) > 2, 'SIGKILL', ['--workers', '1']);
    const before = doneLines(name);
    await endedAt(name, () => doneLines(name) > before, 'SIGKILL', ['--workers', '1', '--resume']);
    await succeeds(['pack', '-o', name, '--resume'], { cwd });
    expect(readFileSync(join(folder, name)).equals(expected.get(name)!)).toBe(true);
  });
});

test.each(['iso', 'tar'])(
  'merge of %s that is killed half-way goes on, and makes the bytes that pack made',
  async (format) => {
    const name = `merged.${format}`;
    writeFileSync(join(folder, `old.${format}`), expected.get(`x.${format}`)!);
    const definition = readFileSync(join(folder, 'solution.toml'), 'utf8');
    writeFileSync(join(folder, 'solution.toml'), definition.replace('version = "1.0.0"', 'version = "1.1.0"'));
    await succeeds(['pack', '-o', `new.${format}`], { cwd }).finally(() =>
      writeFileSync(join(folder, 'solution.toml'), definition),
    );
    await succeeds(['delta', `old.${format}`, `new.${format}`, '-o', `d.${format}`], { cwd });
    const merge = ['merge', `old.${format}`, `d.${format}`, '-o', name];
    const killed = (await lastWords([...merge, '-q'], () => doneLines(name) > layers / 2, 'SIGKILL')) !== undefined;
    const told = await solpack(merge, { cwd });
    expect(told.code, told.stderr).toBe(0);
    if (killed) expect(told.stderr).toMatch(/note: .*(continues: \d+ of \d+ contents|written from the start)/);
    expect(readFileSync(join(folder, name)).equals(readFileSync(join(folder, `new.${format}`)))).toBe(true);
    expect(readdirSync(folder).filter((file) => file.includes('partial'))).toEqual([]);
    for (const file of [name, `old.${format}`, `new.${format}`, `d.${format}`]) rmSync(join(folder, file));
  },
);

test('interrupted, pack leaves nothing, and with --resume what it wrote', async () => {
  const left = (): string[] => readdirSync(folder).filter((file) => file.startsWith('y.iso'));
  const moment = (): boolean => doneLines('y.iso') > 0;
  const pack = ['pack', '-o', 'y.iso', '-q', '--workers', '1'];
  const first = await lastWords(pack, moment, 'SIGINT');
  if (first !== undefined) {
    expect([left(), first]).toEqual([
      [],
      expect.stringMatching(/^solpack: interrupted; nothing of the archive was kept, .*\n$/),
    ]);
  }
  rmSync(join(folder, 'y.iso'), { force: true });
  const second = await lastWords([...pack, '--resume'], moment, 'SIGINT');
  if (second !== undefined) {
    expect(left()).toEqual(['y.iso.partial', 'y.iso.partial.journal']);
    expect(second).toContain(`interrupted; what was written stays in ${join(folder, 'y.iso.partial')}; the same`);
  }
  const { stderr } = await solpack(['pack', '-o', 'y.iso'], { cwd });
  expect(stderr).not.toContain('note:');
  expect(left()).toEqual(['y.iso']);
  expect(readFileSync(join(folder, 'y.iso')).equals(expected.get('x.iso')!)).toBe(true);
});

test('interrupted, extract removes what it wrote, and says so', async () => {
  writeFileSync(join(folder, 'z.iso'), expected.get('x.iso')!);
  const out = join(folder, 'out');
  const words = await lastWords(
    ['extract', 'z.iso', '-C', 'out', '-q'],
    () => existsSync(join(out, 'blobs')),
    'SIGINT',
  );
  if (words === undefined) return;
  expect(words).toMatch(/^solpack: interrupted; what was extracted was removed again, .*\n$/);
  expect(existsSync(out)).toBe(false);
});

test('a disk that fills while layers are copied is reported in one line, and nothing is left on it', async (context) => {
  const namespaces = spawnSync('unshare', ['-rm', 'true']).status === 0;
  if (!namespaces && process.env['SOLPACK_REQUIRE_TOOLS'] !== '1') return context.skip('needs mount namespaces');
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  // A mount namespace of its own, which goes with the process.
  const mounting = `mount -t tmpfs -o size=200m tmpfs "$0" && exec "$@"`;
  const run = [
    process.execPath,
    join(import.meta.dirname, '../support/full-disk.ts'),
    disk,
    join(folder, 'solution.toml'),
  ];
  expect(JSON.parse(await ok('unshare', ['-rm', 'sh', '-c', mounting, disk, ...run]))).toEqual({
    failed: [6, expect.stringMatching(/^solpack: .*big\.iso: no space left on the disk; .*\[disk-full\]$/)],
    left: ['filler'],
    again: 0,
    made: ['big.iso'],
  });
});
