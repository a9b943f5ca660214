import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { loadPublicKey } from '../../lib/parts/trust/index.ts';
import { type BareMachine, bareMachine, bareRootTest } from '../support/bare-root.ts';
import { archiveOnPage, mountOnPage, typed } from '../support/bootstrap.ts';
import { smallSolution, succeeds } from '../support/cli.ts';
import { elfMachines, tinyElf } from '../support/elf.ts';
import { elsewhere, folderOf, here, writePrograms } from '../support/installer.ts';
import { find, type Outcome, ok, scratch } from '../support/judges.ts';

const folder = scratch('bootstrap');
const cwd = folder;
const at = (name: string): string => join(folder, name);
const own = folderOf(here);
const archive = archiveOnPage;
const keys = ['ecdsa', 'ed25519'] as const;
type Key = (typeof keys)[number];

const papers = new Map<Key, string>();
const machines = new Map<Key, BareMachine>();

beforeAll(async () => {
  if (find('xorriso') === undefined) return;
  await smallSolution(at('src'), { name: 'guestbook', version: '1.1.0' });
  for (const key of keys) {
    const programs = at(`${key}/programs`);
    writePrograms(programs);
    const type = key === 'ed25519' ? key : 'ecdsa-p256';
    await succeeds(['keygen', '-o', `${key}/release`, '--type', type], { cwd });
    cpSync(at(`${key}/release.pub`), join(programs, 'release.pub'));
    const asked = ['--with-installer', '--installer-from', programs, '--sign', `${key}/release.key`];
    await succeeds(['pack', 'src', '-o', `${key}/${archive}`, '-q', ...asked], { cwd });
    papers.set(key, (await loadPublicKey(at(`${key}/release.pub`))).keyId);
  }
});

/** A machine with the archive that a key has signed: on a stick, and laid out as a mount shows it. */
async function machineOf(key: Key): Promise<BareMachine> {
  const known = machines.get(key);
  if (known) return known;
  const machine = bareMachine(at(`${key}/machine`), mountOnPage);
  cpSync(at(`${key}/${archive}`), join(machine.stick, archive));
  await ok('xorriso', ['-osirrox', 'on', '-indev', `${key}/${archive}`, '-extract', '/', machine.medium], { cwd });
  await ok('chmod', ['-R', 'u+w', machine.medium]);
  machines.set(key, machine);
  return machine;
}

/** Types the page while the medium is changed by `change`, and puts it back. */
async function onChanged(key: Key, change: (at: (path: string) => string) => void): Promise<Outcome> {
  const machine = await machineOf(key);
  const before = `${machine.medium}.before`;
  await ok('cp', ['-a', machine.medium, before]);
  try {
    change((path) => join(machine.medium, path));
    return await machine.run(typed(papers.get(key)!, 'echo "BEHIND THE LAST STEP"\n'));
  } finally {
    rmSync(machine.medium, { recursive: true });
    renameSync(before, machine.medium);
  }
}

/** That a step has stopped the shell, in those words, before anything of the medium was run. */
function expectStopped({ code, stdout, stderr }: Outcome, words: RegExp): void {
  expect([code, stderr.trim().split('\n').at(-1)]).toEqual([1, expect.stringMatching(words)]);
  expect(stdout).not.toContain('BEHIND THE LAST STEP');
}

describe('the steps of docs/bootstrap.md, on a Debian with a shell, mount, sha256sum and openssl, and without a network', () => {
  for (const key of keys) {
    bareRootTest(`lead to the programs of the medium, which are run: ${key}`, async () => {
      const { code, stdout, stderr } = await (await machineOf(key)).run(typed(papers.get(key)!, 'echo "code $?"\n'));
      expect([code, stderr]).toEqual([0, '']);
      const sums = ['helm', 'kubectl', 'solpack'].map((name) => `bin/${own}/${name}: OK\n`).join('');
      const verified = key === 'ed25519' ? 'Signature Verified Successfully' : 'Verified OK';
      expect(stdout).toBe(`${verified}\n${sums}code 0\n`);
    });
  }

  bareRootTest('have no other program there, and no network', async () => {
    const machine = await machineOf('ecdsa');
    const { stdout } = await machine.run(
      'for one in /usr/bin/* /bin/* /sbin/* /usr/sbin/*; do echo "$one"; done; cat x\n',
    );
    const names = new Set(
      stdout
        .trim()
        .split('\n')
        .map((path) => path.split('/').at(-1)),
    );
    expect([...names].sort()).toEqual(['*', 'mount', 'openssl', 'sh', 'sha256sum']);
    const net = await machine.run('while IFS= read -r line; do echo "$line"; done < /proc/net/route\n');
    expect(net.stdout.trim().split('\n')).toHaveLength(1);
  });

  bareRootTest('stop at a key that is not the one on the paper, whoever it has signed for', async () => {
    const machine = await machineOf('ecdsa');
    expectStopped(await machine.run(typed(`${'0'.repeat(63)}1`)), /^STOP: the key is another one/);
    expectStopped(await machine.run(typed(papers.get('ed25519')!)), /^STOP: the key is another one/);
  });

  bareRootTest('stop where another key has signed, also under the name of the one on the paper', async () => {
    const swapped = await onChanged('ecdsa', (path) => cpSync(at('ed25519/release.pub'), path('bin/release.pub')));
    expectStopped(swapped, /^STOP: the key is another one/);
    const own = typed(papers.get('ecdsa')!).replace(/^key=.*$/m, 'key=/media/usb/release.pub');
    const foreign = await machineOf('ed25519');
    cpSync(at('ecdsa/release.pub'), join(foreign.stick, 'release.pub'));
    expectStopped(await foreign.run(own), /^STOP: the key has not signed this archive/);
    const passedOff = await onChanged('ecdsa', (path) => {
      const slot = path('.solpack/signatures/0.sigstore.json');
      const stranger = readFileSync(join(foreign.medium, '.solpack/signatures/0.sigstore.json'), 'utf8');
      const [, hint] = /"hint":"([^"]+)"/.exec(readFileSync(slot, 'utf8'))!;
      writeFileSync(slot, stranger.replace(/"hint":"[^"]+"/, `"hint":"${hint}"`));
    });
    expectStopped(passedOff, /^STOP: the root is not what the key has signed/);
  });

  const other = tinyElf('a program of somebody else', {
    machine: elfMachines[own.endsWith('amd64') ? 'amd64' : 'arm64'],
  });
  const changed = (path: string): void => {
    const bytes = readFileSync(path);
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(path, bytes);
  };

  for (const [what, change, words] of [
    ['a byte of solpack that changed', (path) => changed(path(`bin/${own}/solpack`)), /^STOP: a program is not what/],
    ['a byte of helm that changed', (path) => changed(path(`bin/${own}/helm`)), /^STOP: a program is not what/],
    [
      'another solpack',
      (path) => writeFileSync(path(`bin/${own}/solpack`), other),
      /^STOP: a program is not what the list says/,
    ],
    ['a program that is gone', (path) => unlinkSync(path(`bin/${own}/kubectl`)), /^STOP: a program is not what/],
    [
      'the program of another platform',
      (path) => cpSync(path(`bin/${folderOf(elsewhere)}/solpack`), path(`bin/${own}/solpack`)),
      /^STOP: a program is not what/,
    ],
    [
      'a file that was added beside them',
      (path) => writeFileSync(path(`bin/${own}/kustomize`), other, { mode: 0o755 }),
      /^STOP: bin\/linux-\w+\/kustomize is in no list$/,
    ],
    [
      'a hidden file that was added',
      (path) => writeFileSync(path(`bin/${own}/.helm`), other, { mode: 0o755 }),
      /^STOP: bin\/linux-\w+\/\.helm is in no list$/,
    ],
    [
      'a program that is a link to the same bytes elsewhere',
      (path) => {
        mkdirSync(path('more'));
        renameSync(path(`bin/${own}/solpack`), path('more/solpack'));
        symlinkSync('../../more/solpack', path(`bin/${own}/solpack`));
      },
      /^STOP: bin\/linux-\w+\/solpack is a symbolic link/,
    ],
    [
      'programs that were swapped by links',
      (path) => {
        unlinkSync(path(`bin/${own}/helm`));
        symlinkSync('kubectl', path(`bin/${own}/helm`));
      },
      /^STOP: a program is not what/,
    ],
    [
      'a folder that is a link',
      (path) => {
        renameSync(path('bin'), path('nib'));
        symlinkSync('nib', path('bin'));
      },
      /^STOP: bin is a symbolic link/,
    ],
    [
      'a list of sums that says what was changed',
      (path) => {
        const list = path('.solpack/SHA256SUMS');
        const lines = readFileSync(list, 'utf8').replace(/[0-9a-f]{64}(?= {2}bin\/\S+\/helm)/g, '0'.repeat(64));
        writeFileSync(list, lines);
      },
      /^STOP: the list of sums is not that of the root/,
    ],
    [
      'a list of sums with more in it',
      (path) => appendFileSync(path('.solpack/SHA256SUMS'), `${'0'.repeat(64)}  bin/${own}/more\n`),
      /^STOP: the list of sums is not that of the root/,
    ],
    [
      'a root that was changed',
      (path) => {
        const root = path('.solpack/root.json');
        writeFileSync(root, readFileSync(root, 'utf8').replace('"1.1.0"', '"1.1.1"'));
      },
      /^STOP: the root is not what the key has signed/,
    ],
    [
      'a signature that is gone',
      (path) => writeFileSync(path('.solpack/signatures/0.sigstore.json'), '\n'.repeat(8192)),
      /^STOP: the key has not signed this archive/,
    ],
    [
      'a signature that was changed',
      (path) => {
        const slot = path('.solpack/signatures/0.sigstore.json');
        const text = readFileSync(slot, 'utf8');
        const signature = /"signature":"([^"]+)"/.exec(text)![1]!;
        const other = signature.slice(0, 40) + (signature[40] === 'A' ? 'B' : 'A') + signature.slice(41);
        writeFileSync(slot, text.replace(signature, other));
      },
      /^STOP: the root is not what the key has signed/,
    ],
  ] as const satisfies readonly (readonly [string, (path: (name: string) => string) => void, RegExp])[]) {
    bareRootTest(`stop at ${what}`, async () => {
      for (const key of what.startsWith('a root') || what.startsWith('a signature') ? keys : (['ecdsa'] as const)) {
        expectStopped(await onChanged(key, change), words);
      }
    });
  }
});
