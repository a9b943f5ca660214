import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, succeeds } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';

const folder = scratch('trust-page');
const cwd = folder;
const page = readFileSync(join(import.meta.dirname, '../../docs/trust.md'), 'utf8');
const steps = /## By hand[\s\S]*?```sh\n([\s\S]*?)```/.exec(page)![1]!;

beforeAll(async () => {
  await smallSolution(join(folder, 'src'));
  await succeeds(['keygen', '-o', 'k'], { cwd });
  await succeeds(['pack', 'src', '-o', 'a.iso', '--sign', 'k.key'], { cwd });
  await succeeds(['extract', 'a.iso', '-C', 'a'], { cwd });
});

const env = (): Record<string, string> => ({ ARCHIVE: join(folder, 'a'), WORK: folder, KEY: join(folder, 'k.pub') });

describe('the steps by hand in docs/trust.md', () => {
  judged('succeed on an extracted archive', ['bash', 'jq', 'openssl', 'sha256sum'], async () => {
    expect(await ok('bash', ['-e', '-o', 'pipefail', '-c', steps], { env: env() })).toContain('Verified OK');
  });

  judged('fail where the root, the sums or any file was changed', ['bash', 'jq', 'openssl', 'sha256sum'], async () => {
    for (const path of ['.solpack/root.json', '.solpack/SHA256SUMS', 'components/web/pod.yaml', 'manifest.yaml']) {
      const file = join(folder, 'a', path);
      const before = readFileSync(file);
      writeFileSync(file, Buffer.from(before.toString().replace('o', '0')));
      const { code } = await run('bash', ['-e', '-o', 'pipefail', '-c', steps], { env: env() });
      expect(code, path).not.toBe(0);
      writeFileSync(file, before);
    }
  });

  judged('have a cosign form that succeeds, and fails for another root', ['cosign'], async () => {
    const args = [
      'verify-blob',
      '--key',
      '../k.pub',
      '--bundle',
      '.solpack/signatures/0.sigstore.json',
      '--insecure-ignore-tlog',
    ];
    const cosign = (blob: string): ReturnType<typeof run> => run('cosign', [...args, blob], { cwd: join(folder, 'a') });
    expect((await cosign('.solpack/root.json')).stderr).toContain('Verified OK');
    expect((await cosign('manifest.yaml')).code).not.toBe(0);
  });
});
