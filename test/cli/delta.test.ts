import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { starts, succeeds } from '../support/cli.ts';
import { writeRelease } from '../support/deltas.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, ok, scratch } from '../support/judges.ts';

const folder = scratch('delta');
const at = (...names: string[]): string => join(folder, ...names);
const run = (...args: string[]): Promise<Outcome> => solpackHere([...args, '--quiet'], { cwd: folder });

async function works(...args: string[]): Promise<string> {
  const outcome = await run(...args);
  expect([args, outcome.code, outcome.stderr]).toEqual([args, 0, expect.any(String)]);
  return outcome.stdout;
}

function expectSame(one: string, other: string): void {
  expect(readFileSync(at(one)).equals(readFileSync(at(other))), `${one} and ${other}`).toBe(true);
}

/** With all that an archive may have. */
const packed = ['--sign', 'k.key', '--metalk8s'];

const releases = {
  '1.0.0': { base: 'base', app: 'app 1' },
  '1.1.0': { base: 'base', app: 'app 2', extra: 'extra' },
  '1.2.0': { base: 'base', app: 'app 3', extra: 'extra' },
};

beforeAll(async () => {
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  for (const [version, images] of Object.entries(releases)) {
    await writeRelease(at(version), version, images);
    for (const format of ['iso', 'tar']) await works('pack', version, '-o', `${version}.${format}`, ...packed);
  }
});

describe('a delta', () => {
  test('has what is new, and gives back with the older archive the very bytes that pack made, in either format', async () => {
    for (const format of ['iso', 'tar']) {
      const [old, now] = [`1.0.0.${format}`, `1.1.0.${format}`];
      const told = JSON.parse(await works('delta', old, now, '-o', `d.${format}`, '--json'));
      expect(jsonSchemas.delta.strict().parse(told).delta).toMatchObject({ absent: 1, bases: [{ version: '1.0.0' }] });
      expect(statSync(at(`d.${format}`)).size).toBeLessThan(statSync(at(now)).size);
      await works('merge', old, `d.${format}`, '-o', `merged.${format}`);
      expectSame(`merged.${format}`, now);
    }
    expect((await run('verify', 'merged.iso', '--key', 'k.pub')).code).toBe(0);
  });

  test('of the older release is made, and the order is reported', async () => {
    const { code, stderr } = await run('delta', '1.1.0.iso', '1.0.0.iso', '-o', 'older.iso');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /1\.1\.0: is newer than \S+ 1\.0\.0, which the delta is of: the release to carry comes last/,
    );
    const right = await run('delta', '1.0.0.iso', '1.1.0.iso', '-o', 'newer.iso');
    expect(right.stderr).not.toContain('is newer than');
  });

  test('is named last to be merged', async () => {
    await works('delta', '1.0.0.iso', '1.1.0.iso', '-o', 'last.iso');
    const { code, stderr } = await run('merge', 'last.iso', '1.0.0.iso', '-o', 'swapped.iso');
    expect(stderr).toMatch(
      /the last archive is whole \(shop 1\.0\.0\).*name the delta last: shop 1\.1\.0 \[usage-invalid\]\n$/,
    );
    expect([code, existsSync(at('swapped.iso'))]).toEqual([2, false]);
  });

  test('is the same whichever way it is made, and made again', async () => {
    await works('delta', '1.0.0.tar', '1.1.0.tar', '-o', 'one.tar');
    await works('delta', '1.0.0.iso', '1.0.0.tar', '1.1.0.tar', '-o', 'two.tar');
    expectSame('one.tar', 'two.tar');
    const made = JSON.parse(
      await works('pack', '1.1.0', '-o', 'three.tar', '--base', '1.0.0.iso', '--json', ...packed),
    );
    expect(made.delta).toMatchObject({ absent: 1 });
    expectSame('one.tar', 'three.tar');
  });

  test('is verified as it is, and tells what completes it', async () => {
    await works('delta', '1.0.0.iso', '1.1.0.iso', '-o', 'told.iso');
    const verified = JSON.parse(await works('verify', 'told.iso', '--key', 'k.pub', '--json'));
    expect(jsonSchemas.verify.strict().parse(verified)).toMatchObject({
      ok: true,
      trusted: true,
      delta: { lacking: 1 },
    });
    const root = JSON.parse(await works('inspect', '1.0.0.iso', '--json')).root;
    const inspected = await works('inspect', 'told.iso');
    expect(inspected).toContain(`shop 1.0.0 (root ${root})`);
    expect(inspected).toMatch(/delta: [\d.]+ KiB of [\d.]+ KiB; complete with/);
    const complete = JSON.parse(await works('verify', 'told.iso', '--base', '1.0.0.tar', '--json'));
    expect(complete.delta.lacking).toBe(0);
  });

  test('is not complete with an archive that has too little, or other bytes', async () => {
    await works('delta', '1.1.0.iso', '1.2.0.iso', '-o', 'from-1.1.iso');
    const little = await run('verify', 'from-1.1.iso', '--base', '1.0.0.iso');
    expect([little.code, little.stdout]).toEqual([1, expect.stringContaining('missing-file  delta: lacks 1 contents')]);
    const merged = await run('merge', '1.0.0.iso', 'from-1.1.iso', '-o', 'never.iso');
    expect([merged.code, merged.stderr]).toEqual([1, expect.stringContaining('[archive-incomplete]')]);
    expect(merged.stderr).toContain('shop 1.1.0');
    const damaged = readFileSync(at('1.1.0.iso'));
    // Its largest contents lie at the end.
    damaged.fill(0xff, damaged.length - 150 * 2048 - 60_000, damaged.length - 150 * 2048);
    writeFileSync(at('damaged.iso'), damaged);
    const bad = await run('verify', 'from-1.1.iso', '--base', 'damaged.iso');
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining('blob-mismatch')]);
    const made = await run('merge', 'damaged.iso', 'from-1.1.iso', '-o', 'never.iso');
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining('[content-mismatch]')]);
    // Whose content it is that is damaged, and not that of the delta.
    expect(made.stderr).toContain(`in ${at('damaged.iso')}`);
    expect(made.stderr).toContain(`the content of ${at('damaged.iso')} is damaged`);
    await using server = await starts(['serve', '--store', 'bad', '--open-push', '--listen', '127.0.0.1:0'], {
      cwd: folder,
    });
    const { host } = new URL(server.first);
    const pushed = await run('push', 'from-1.1.iso', `${host}/shop/bad`, '--plain-http', '--base', 'damaged.iso');
    expect([pushed.code, pushed.stderr]).toEqual([1, expect.stringContaining(`in ${at('damaged.iso')}`)]);
  });

  test('follows a delta: both and the oldest archive make the newest', async () => {
    await works('delta', '1.0.0.iso', '1.1.0.iso', '-o', 'first.iso');
    await works('delta', '1.0.0.iso', 'first.iso', '1.2.0.iso', '-o', 'second.iso');
    await works('merge', 'first.iso', '1.0.0.iso', 'second.iso', '-o', 'chained.iso');
    expectSame('chained.iso', '1.2.0.iso');
    const short = await run('merge', '1.0.0.iso', 'second.iso', '-o', 'never.iso');
    expect([short.code, short.stderr]).toEqual([1, expect.stringContaining('lacks 1 content (')]);
  });

  test('can be signed and unsigned by itself', async () => {
    await works('delta', '1.0.0.tar', '1.1.0.tar', '-o', 'signed.tar');
    copyFileSync(at('signed.tar'), at('before.tar'));
    await succeeds(['keygen', '-o', 'other'], { cwd: folder });
    await works('sign', 'signed.tar', '--private-key', 'other.key');
    await works('verify', 'signed.tar', '--key', 'other.pub');
    await works('unsign', 'signed.tar', '--slot', '1');
    expectSame('signed.tar', 'before.tar');
  });

  test('is a whole archive where nothing can be left out', async () => {
    const told = await works('delta', '1.1.0.iso', '1.1.0.iso', '-o', 'same.iso');
    expect(told).toContain('delta:');
    await writeRelease(at('other'), '9.0.0', { lone: 'lone' });
    await works('pack', 'other', '-o', 'other.iso');
    expect(await works('delta', 'other.iso', '1.0.0.iso', '-o', 'whole.iso')).toContain('whole: it lacks nothing');
    expectSame('whole.iso', '1.0.0.iso');
  });

  test('is completed by hand as docs/delta.md says', async () => {
    await works('delta', '1.0.0.tar', '1.1.0.tar', '-o', 'guestbook-1.1.0.delta.tar');
    copyFileSync(at('1.0.0.tar'), at('guestbook-1.0.0.tar'));
    const page = readFileSync(join(import.meta.dirname, '../../docs/delta.md'), 'utf8');
    const [, script = ''] = page.slice(page.indexOf('## By hand')).split(/```(?:sh\n)?/);
    await ok('sh', ['-euc', script], { cwd: folder });
    expect(script).toContain('sha256sum');
  });

  test('is extracted with what completes it to the files of the whole archive', async () => {
    await works('delta', '1.0.0.iso', '1.1.0.iso', '-o', 'packed.iso');
    await works('extract', '1.1.0.iso', '-C', 'files-whole');
    await works('extract', 'packed.iso', '--base', '1.0.0.tar', '-C', 'files-made');
    const differs = await ok('diff', ['-r', '--brief', '--exclude=.solpack', 'files-whole', 'files-made'], {
      cwd: folder,
    });
    expect(differs).toBe('');
    const [layer] = JSON.parse(readFileSync(at('files-made/.solpack/selection.json'), 'utf8')).absent;
    const path = `blobs/sha256/${layer.digest.slice('sha256:'.length)}`;
    await works('extract', 'packed.iso', path, '--base', '1.0.0.iso', '-C', 'one-layer');
    expectSame(`one-layer/${path}`, `files-whole/${path}`);
    const little = await run('extract', 'packed.iso', '--base', 'packed.iso', '-C', 'never');
    expect([little.code, little.stderr]).toEqual([1, expect.stringContaining('[archive-incomplete]')]);
  });

  test('that is cut off is refused', async () => {
    await works('delta', '1.0.0.iso', '1.1.0.iso', '-o', 'cut.iso');
    truncateSync(at('cut.iso'), statSync(at('cut.iso')).size - 4096);
    const outcome = await run('merge', '1.0.0.iso', 'cut.iso', '-o', 'never.iso');
    expect([outcome.code, outcome.stderr]).toEqual([
      1,
      expect.stringContaining('bytes are missing at the end: 4.0 KiB of '),
    ]);
  });
});

describe('a delta and what completes it are one archive', () => {
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  const install = (archives: string, ...more: string[]): Promise<Outcome> => {
    writeFileSync(at('solutions.yaml'), `${head}archives: [${archives}]\nactive: {shop: "1.2.0"}\n`);
    return run(
      'install',
      '-f',
      'solutions.yaml',
      '--render',
      'out',
      '--trust-state',
      'state',
      '--key',
      'k.pub',
      ...more,
    );
  };

  beforeAll(async () => {
    await works('delta', '1.0.0.iso', '1.1.0.iso', '-o', 'd1.iso');
    await works('delta', '1.0.0.iso', '1.1.0.iso', '1.2.0.iso', '-o', 'd2.iso');
  });

  test('in a SolutionsConfiguration, in any order', async () => {
    for (const archives of ['1.0.0.iso, d1.iso, d2.iso', 'd2.iso, d1.iso, 1.0.0.iso']) {
      const outcome = await install(archives);
      expect([outcome.code, outcome.stderr]).toEqual([0, '']);
    }
    const short = await install('d2.iso, d1.iso');
    expect([short.code, short.stderr]).toEqual([1, expect.stringContaining('[archive-incomplete]')]);
    expect(short.stderr).toContain('it is complete with shop 1.1.0');
  });

  test('for serve, from which the whole archive is pulled', async () => {
    const alone = await run('serve', 'd1.iso');
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('[archive-incomplete]')]);
    await using server = await starts(['serve', 'd2.iso', '1.0.0.iso', 'd1.iso', '--listen', '127.0.0.1:0'], {
      cwd: folder,
    });
    const { host } = new URL(server.first);
    await works('pull', `${host}/solutions/shop:1.2.0`, '-o', 'pulled.iso', '--plain-http');
    expectSame('pulled.iso', '1.2.0.iso');
  });

  test('for a registry that has the older release, which is sent what it lacks', async () => {
    await using server = await starts(['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0'], {
      cwd: folder,
    });
    const { host } = new URL(server.first);
    const push = (archive: string, ...more: string[]): Promise<Outcome> =>
      run('push', archive, `${host}/shop/all`, '--plain-http', '--json', ...more);
    const early = await push('d1.iso');
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('[archive-incomplete]')]);
    const whole = JSON.parse((await push('1.0.0.iso')).stdout);
    const sent = JSON.parse((await push('d1.iso')).stdout);
    expect(sent.movedBytes).toBeGreaterThan(10_000);
    expect(sent.movedBytes).toBeLessThan(2 * whole.movedBytes);
    await works('pull', `${host}/shop/all:1.1.0`, '-o', 'of-delta.iso', '--plain-http');
    expectSame('of-delta.iso', '1.1.0.iso');
    const based = await push('d2.iso', '--base', '1.1.0.tar');
    expect(based.code, based.stderr).toBe(0);
  });

  test('for import, which tells what lacks, and for unimport, which keeps what an active delta reads', async () => {
    writeFileSync(at('edited.yaml'), `${head}archives: []\nactive: {shop: latest}\n`);
    const lacking = await solpackHere(['import', 'd1.iso', '-f', 'edited.yaml'], { cwd: folder });
    expect([lacking.code, lacking.stderr]).toEqual([0, expect.stringContaining('lacks 1 contents')]);
    expect(lacking.stderr).toContain('import shop 1.0.0');
    const complete = await solpackHere(['import', '1.0.0.iso', '-f', 'edited.yaml'], { cwd: folder });
    expect([complete.code, complete.stderr]).toEqual([0, expect.not.stringContaining('lacks')]);
    const kept = await run('unimport', '1.0.0.iso', '-f', 'edited.yaml');
    expect([kept.code, kept.stderr]).toEqual([
      2,
      expect.stringContaining('that the delta shop 1.1.0 lacks, which is active'),
    ]);
    await works('activate', 'shop', '1.0.0', '-f', 'edited.yaml');
    await works('unimport', 'd1.iso', '-f', 'edited.yaml');
  });
});
