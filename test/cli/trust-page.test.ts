import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, succeeds } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';

const folder = scratch('trust-page');
const cwd = folder;
const page = readFileSync(join(import.meta.dirname, '../../docs/trust.md'), 'utf8');
const section = page.slice(page.indexOf('\n## By hand'));
const [steps = '', ed25519 = '', cosign = '', attestation = ''] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  (match) => match[1]!,
);

/** The steps with the one command that is another for Ed25519 keys. */
const stepsOf = (key: string): string => (key === 'ed' ? steps.replace(/^openssl dgst .*\n/m, ed25519) : steps);

const signers = ['k', 'second', 'ed'] as const;

beforeAll(async () => {
  await smallSolution(join(folder, 'src'));
  await succeeds(['keygen', '-o', 'stranger'], { cwd });
  for (const key of signers) {
    await succeeds(['keygen', '-o', key, '--type', key === 'ed' ? 'ed25519' : 'ecdsa-p256'], { cwd });
  }
  for (const extension of ['iso', 'tar']) {
    await succeeds(['pack', 'src', '-o', `a.${extension}`, '--sign', 'k.key'], { cwd });
    for (const key of ['second', 'ed'])
      await succeeds(['sign', `a.${extension}`, '--private-key', `${key}.key`], { cwd });
    mkdirSync(join(folder, extension));
  }
});

const programs = ['bash', 'jq', 'openssl', 'sha256sum', 'bsdtar'] as const;

/** Runs a script of the page on an extracted archive, for a public key. */
function shell(script: string, archive: string, key: string): ReturnType<typeof run> {
  const env = { ARCHIVE: join(folder, archive), WORK: folder, KEY: join(folder, `${key}.pub`) };
  return run('bash', ['-e', '-o', 'pipefail', '-c', script], { env });
}

/** A copy of an archive's files, made by a program that knows nothing of solpack. */
async function extracted(archive: 'iso' | 'tar'): Promise<string> {
  await ok('bsdtar', ['-xf', `a.${archive}`, '-C', archive], { cwd });
  await ok('chmod', ['-R', 'u+w', archive], { cwd });
  return join(folder, archive);
}

/** Changes a file while `work` looks at it. */
async function damaged(file: string, from: string, to: string, work: () => Promise<void>): Promise<void> {
  const before = readFileSync(file);
  const at = before.indexOf(from);
  expect(at, file).toBeGreaterThanOrEqual(0);
  const after = Buffer.from(before);
  after.write(to, at, 'latin1');
  expect(after.equals(before)).toBe(false);
  writeFileSync(file, after);
  await work();
  writeFileSync(file, before);
}

describe.each(['iso', 'tar'] as const)('the steps by hand in docs/trust.md, on an extracted %s', (archive) => {
  for (const key of signers) {
    judged(`succeed for each of its signers: ${key}`, programs, async () => {
      await extracted(archive);
      const { code, stdout, stderr } = await shell(stepsOf(key), archive, key);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(key === 'ed' ? 'Signature Verified Successfully' : 'Verified OK');
    });

    judged(`fail where the root, the sums, a view or a blob was changed: ${key}`, programs, async () => {
      const at = await extracted(archive);
      const blob = readdirSync(join(at, 'blobs/sha256')).find((name) =>
        readFileSync(join(at, 'blobs/sha256', name)).includes('kind: Pod'),
      );
      const files = ['.solpack/root.json', '.solpack/SHA256SUMS', 'manifest.yaml', `blobs/sha256/${blob}`];
      for (const path of archive === 'iso' ? [...files, 'components/web/pod.yaml'] : files) {
        const letter = path.endsWith('SHA256SUMS') ? 'b' : 'o';
        await damaged(join(at, path), letter, '0', async () => {
          expect((await shell(stepsOf(key), archive, key)).code, path).not.toBe(0);
        });
      }
    });
  }

  judged('fail where the signature was changed, and for a key that has not signed', programs, async () => {
    const at = await extracted(archive);
    for (const [slot, key] of signers.entries()) {
      const file = join(at, `.solpack/signatures/${slot}.sigstore.json`);
      const { signature } = JSON.parse(readFileSync(file, 'utf8')).messageSignature;
      const middle = signature.slice(40, 44);
      await damaged(file, middle, middle === 'AAAA' ? 'BBBB' : 'AAAA', async () => {
        expect((await shell(stepsOf(key), archive, key)).code, key).not.toBe(0);
      });
      await damaged(file, '{', '\n', async () => {
        expect((await shell(stepsOf(key), archive, key)).code, key).not.toBe(0);
      });
    }
    expect((await shell(steps, archive, 'stranger')).code).not.toBe(0);
  });

  judged('fail where the signature of another root was put into the slot', programs, async () => {
    const at = await extracted(archive);
    await smallSolution(join(folder, 'other'), { version: '2.0.0' });
    await succeeds(['pack', 'other', '-o', 'other.iso', '--sign', 'k.key'], { cwd });
    const foreign = await ok('bsdtar', ['-xOf', 'other.iso', '.solpack/signatures/0.sigstore.json'], { cwd });
    const file = join(at, '.solpack/signatures/0.sigstore.json');
    const before = readFileSync(file);
    writeFileSync(file, foreign);
    expect((await shell(steps, archive, 'k')).code).not.toBe(0);
    writeFileSync(file, before);
  });

  judged('have a cosign form that succeeds, and fails on a changed root or slot', [...programs, 'cosign'], async () => {
    const at = await extracted(archive);
    for (const [slot, key] of signers.entries()) {
      const good = await shell(cosign, archive, key);
      expect([good.code, good.stderr]).toEqual([0, expect.stringContaining('Verified OK')]);
      await damaged(join(at, '.solpack/root.json'), 'o', '0', async () => {
        expect((await shell(cosign, archive, key)).code, key).not.toBe(0);
      });
      const file = join(at, `.solpack/signatures/${slot}.sigstore.json`);
      const { signature } = JSON.parse(readFileSync(file, 'utf8')).messageSignature;
      const middle = signature.slice(40, 44);
      await damaged(file, middle, middle === 'AAAA' ? 'BBBB' : 'AAAA', async () => {
        expect((await shell(cosign, archive, key)).code, key).not.toBe(0);
      });
    }
    expect((await shell(cosign, archive, 'stranger')).code).not.toBe(0);
  });

  judged(
    'have a cosign form for the provenance, which succeeds for who signed it, and fails on a changed root or statement',
    [...programs, 'cosign'],
    async () => {
      const at = await extracted(archive);
      const good = await shell(attestation, archive, 'k');
      expect([good.code, good.stderr]).toEqual([0, expect.stringContaining('Verified OK')]);
      expect(JSON.parse(good.stdout)).toMatchObject({ buildDefinition: { externalParameters: { name: 'hello' } } });
      const file = join(at, '.solpack/attestations/provenance.sigstore.json');
      const { payload, signatures } = JSON.parse(readFileSync(file, 'utf8')).dsseEnvelope;
      for (const [path, part] of [
        [join(at, '.solpack/root.json'), 'o'],
        [file, payload.slice(40, 44)],
        [file, signatures[0].sig.slice(40, 44)],
      ]) {
        await damaged(path, part, part.length === 1 ? '0' : part === 'AAAA' ? 'BBBB' : 'AAAA', async () => {
          expect((await shell(attestation, archive, 'k')).code, path).not.toBe(0);
        });
      }
      for (const key of ['second', 'stranger']) expect((await shell(attestation, archive, key)).code, key).not.toBe(0);
    },
  );
});
