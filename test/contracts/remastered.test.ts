import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { extract } from '../../lib/flows/browse/index.ts';
import { generateKey, loadPrivateKey } from '../../lib/parts/trust/index.ts';
import { smallSolution, solpack, succeeds, writeFiles } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import { type Judge, judged, ok, scratch } from '../support/judges.ts';

// Other programs make archives of the same files: their contents are right, and their carriers nobody has signed.

const folder = scratch('remastered');
const cwd = folder;

beforeAll(async () => {
  await smallSolution(folder);
  const { privatePem, publicPem } = generateKey('ecdsa-p256-sha256');
  writeFiles(folder, { 'k.key': privatePem, 'k.pub': publicPem });
  const archive = join(folder, 'good.iso');
  await packHere(join(folder, 'solution.toml'), archive, { sign: await loadPrivateKey(join(folder, 'k.key')) });
  await extract({ archive, paths: [], folder: join(folder, 'tree') }, testFlow());
});

const remastered: [tool: Judge, what: string, output: string, args: readonly string[]][] = [
  ['genisoimage', 'an ISO of the same files', 'a.iso', ['-quiet', '-R', '-J', '-joliet-long', '-o', 'a.iso', 'tree']],
  ['xorriso', 'an ISO of the same files', 'b.iso', ['-as', 'mkisofs', '-R', '-J', '-o', 'b.iso', 'tree']],
  ['xorriso', 'an ISO out of the ISO', 'c.iso', ['-indev', 'good.iso', '-outdev', 'c.iso', '-volid', 'C', '-commit']],
  ['bsdtar', 'an ISO of the same files', 'd.iso', ['-cf', 'd.iso', '--format', 'iso9660', '-C', 'tree', '.']],
  ['bsdtar', 'a tar of the same files', 'e.tar', ['-cf', 'e.tar', '-C', 'tree', '.']],
  ['bsdtar', 'a pax archive of the ISO', 'f.tar', ['-cf', 'f.tar', '--format', 'pax', '@good.iso']],
];

for (const [tool, what, output, args] of remastered) {
  judged(`${tool} makes ${what}: it is not canonical, and its contents are right`, [tool], async () => {
    await ok(tool, args, { cwd });
    const refused = await solpack(['verify', output, '--key', 'k.pub', '--json', '--quiet'], { cwd });
    const { ok: intact, trusted, findings } = JSON.parse(refused.stdout);
    expect([refused.code, intact, trusted]).toEqual([1, false, true]);
    expect(findings).toEqual([
      { code: 'not-canonical', subject: 'archive', message: expect.stringMatching(/--content-only/) },
    ]);
    const printed = await succeeds(['verify', output, '--key', 'k.pub', '--content-only'], { cwd });
    expect(printed).toContain('all contents match the root; nothing else was checked');
  });
}

judged('xorriso adds a session to an ISO: that is found, and its contents are right', ['xorriso'], async () => {
  copyFileSync(join(folder, 'good.iso'), join(folder, 'grown.iso'));
  await ok('xorriso', ['-dev', 'grown.iso', '-volid', 'GROWN', '-commit'], { cwd });
  const { code, stdout } = await solpack(['verify', 'grown.iso', '--key', 'k.pub', '--quiet'], { cwd });
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/trailing-data.*\n.*primary volume descriptor: its volume identifier/),
  ]);
  await succeeds(['verify', 'grown.iso', '--key', 'k.pub', '--content-only'], { cwd });
});

judged('an install takes no archive that tar made of the same files', ['tar'], async () => {
  writeFiles(folder, {
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions: [{name: hello, archives: [tree.tar]}]
`,
  });
  await ok('tar', ['-cf', 'tree.tar', '-C', 'tree', '.'], { cwd });
  const args = [
    'install',
    '-f',
    'solutions.yaml',
    '--key',
    'k.pub',
    '--trust-state',
    'state',
    '--render',
    'out',
    '--quiet',
  ];
  const { code, stderr } = await solpack(args, { cwd });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/another program rewrote it.*\[verification-failed\]/)]);
});
