import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, succeeds } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';

const folder = scratch('trust-page');
const cwd = folder;
const page = readFileSync(join(import.meta.dirname, '../../docs/trust.md'), 'utf8');
const [steps = '', cosign = ''] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!);

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

  judged('have a cosign form that succeeds, and fails where the root was changed', ['bash', 'cosign'], async () => {
    const shell = (): ReturnType<typeof run> => run('bash', ['-e', '-c', cosign], { env: env() });
    expect(await shell()).toMatchObject({ code: 0, stderr: expect.stringContaining('Verified OK') });
    const root = join(folder, 'a/.solpack/root.json');
    const before = readFileSync(root);
    writeFileSync(root, Buffer.from(before.toString().replace('o', '0')));
    expect((await shell()).code).not.toBe(0);
    writeFileSync(root, before);
  });
});
