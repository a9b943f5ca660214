import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { programOf } from '../../cli/program.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';
import { sharedFiles } from '../../scripts/package/share.ts';
import { writeFiles } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';

const folder = scratch('man');
const files = await sharedFiles('1.2.3', '2026-01-31');
const pages = Object.keys(files).filter((path) => /\.[15]$/.test(path));

beforeAll(() => writeFiles(folder, files));

describe('man pages', () => {
  test('there are of solpack and of each command, and the scripts of the shells are where these look', async () => {
    const names = (await programOf(quietIo(), '', () => undefined)).commands.map(
      (command) => `solpack-${command.name()}`,
    );
    const files5 = ['solution.toml', 'solutions.yaml', 'trust.toml', 'profile.toml'].map((name) => `${name}.5`);
    expect(pages.map((path) => path.replace(/^share\/man\/man[15]\//, ''))).toEqual([
      ...['solpack', ...names].map((name) => `${name}.1`),
      ...files5,
    ]);
    expect(Object.keys(files).filter((path) => !pages.includes(path))).toEqual([
      'share/bash-completion/completions/solpack',
      'share/zsh/site-functions/_solpack',
      'share/fish/vendor_completions.d/solpack.fish',
    ]);
    expect(await sharedFiles('1.2.3', '2026-01-31')).toEqual(files);
  });

  judged('are set by man without a warning, on 60 and on 80 columns', ['man'], async () => {
    for (const MANWIDTH of ['60', '80']) {
      const args = ['--warnings', '--encoding=UTF-8', '-P', 'cat', '-l', ...pages.map((path) => join(folder, path))];
      const { code, stdout, stderr } = await run('man', args, { env: { MANWIDTH } });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('EXIT STATUS');
    }
  });

  judged('are what mandoc has nothing to say about', ['mandoc'], async () => {
    const args = ['-man', '-T', 'lint', '-W', 'warning', ...pages.map((path) => join(folder, path))];
    expect(await run('mandoc', args)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  judged('of files say what their schemas say of each field', ['mandoc'], async () => {
    const shown = await ok('mandoc', ['-T', 'utf8', '-O', 'width=200', join(folder, 'share/man/man5/trust.toml.5')]);
    const text = shown.replace(/.\u0008/g, '');
    for (const part of [
      'TRUST.TOML(5)',
      'trust.toml - whose signatures count for which Solutions',
      '(a number; default 1)',
      'How many different keys have to have signed.',
    ]) {
      expect(text).toContain(part);
    }
  });

  judged('say what the help says: flags, variables, examples', ['mandoc'], async () => {
    const shown = await ok('mandoc', ['-T', 'utf8', '-O', 'width=200', join(folder, 'share/man/man1/solpack-pack.1')]);
    // A terminal shows bold by overstriking.
    const text = shown.replace(/.\u0008/g, '');
    for (const part of [
      'SOLPACK-PACK(1)',
      'solpack-pack - make one archive from a definition',
      '--passphrase-file <file>',
      'SOURCE_DATE_EPOCH',
      "$ solpack pack -o - --format tar | ssh node 'cat > guestbook.tar'",
      'solpack 1.2.3',
    ]) {
      expect(text).toContain(part);
    }
  });
});
