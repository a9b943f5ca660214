import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { verify } from '../../lib/flows/verify/index.ts';
import { generateKey, loadPrivateKey, loadPublicKey, trustInKeys } from '../../lib/parts/trust/index.ts';
import { smallSolution, writeFiles } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';

const folder = scratch('iso-tools');
const archive = join(folder, 'hello.iso');
const other = join(folder, 'other.iso');

/** What `checkisomd5` needs: it calls sound images of less than about a megabyte damaged. */
const LARGE = 2_000_000;

beforeAll(async () => {
  const { privatePem, publicPem } = generateKey('ed25519');
  writeFileSync(join(folder, 'a.key'), privatePem);
  writeFileSync(join(folder, 'a.pub'), publicPem);
  await smallSolution(folder);
  const text = 'x'.repeat(LARGE / 2);
  const large = ['one', 'two'].map(
    (name) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  text: ${text}\n`,
  );
  writeFiles(folder, { 'web/large.yaml': large.join('') });
  await packHere(join(folder, 'solution.toml'), archive, { sign: await loadPrivateKey(join(folder, 'a.key')) });
  await smallSolution(join(folder, 'other'), { version: '2.0.0' });
  await packHere(join(folder, 'other', 'solution.toml'), other);
});

const verdict = async (path: string) =>
  verify({ archive: path, trust: trustInKeys([await loadPublicKey(join(folder, 'a.pub'))], 0) }, testFlow());

describe('isomd5sum', () => {
  judged(
    'puts its checksum into an archive, which stays valid and signed',
    ['implantisomd5', 'checkisomd5'],
    async () => {
      const path = join(folder, 'implanted.iso');
      copyFileSync(archive, path);
      expect(statSync(path).size).toBeGreaterThan(LARGE);
      await ok('implantisomd5', [path]);
      const [before, after] = [readFileSync(archive), readFileSync(path)];
      const field = { from: 16 * 2048 + 883, to: 16 * 2048 + 1395 };
      expect(after.toString('latin1', field.from, field.to)).toMatch(/^ISO MD5SUM = [0-9a-f]{32};SKIPSECTORS = 15;/);
      after.fill(' ', field.from, field.to);
      expect(after.equals(before)).toBe(true);
      await ok('checkisomd5', [path]);
      expect(await verdict(path)).toMatchObject({ ok: true, trusted: true, findings: [] });
    },
  );

  judged('finds a byte that was changed afterwards, as verify does', ['implantisomd5', 'checkisomd5'], async () => {
    const path = join(folder, 'damaged.iso');
    copyFileSync(archive, path);
    await ok('implantisomd5', [path]);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    expect((await run('checkisomd5', [path])).code).not.toBe(0);
    expect(await verdict(path)).toMatchObject({ ok: false });
  });
});

describe('blkid', () => {
  const probe = async (path: string): Promise<Record<string, string>> => {
    const lines = (await ok('blkid', ['-p', '-o', 'export', path])).trim().split('\n');
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  };

  judged('shows name and version as the label', ['blkid'], async () => {
    expect(await probe(archive)).toMatchObject({ TYPE: 'iso9660', LABEL: 'HELLO_1_0_0' });
    expect(await probe(other)).toMatchObject({ TYPE: 'iso9660', LABEL: 'HELLO_2_0_0' });
  });

  judged('shows a UUID that the content decides', ['blkid'], async () => {
    const [one, two] = [await probe(archive), await probe(other)];
    expect(one['UUID']).toMatch(/^20\d\d(-\d\d){6}$/);
    expect(two['UUID']).not.toBe(one['UUID']);
    const again = join(folder, 'again.iso');
    await packHere(join(folder, 'solution.toml'), again);
    const digest = (path: string) =>
      createHash('sha256')
        .update(readFileSync(path).subarray(0, 17 * 2048))
        .digest('hex');
    expect(digest(again)).toBe(digest(archive));
    expect((await probe(again))['UUID']).toBe(one['UUID']);
  });
});
