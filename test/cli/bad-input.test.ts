import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sizeWords } from '../../formats/size-words.ts';
import { smallSolution, solpack, succeeds, writeFiles } from '../support/cli.ts';
import { judged, type Outcome, ok, run, scratch } from '../support/judges.ts';
import { solpackQuoted } from '../support/under-test.ts';

const folder = scratch('bad-input');
const cwd = folder;

beforeAll(async () => {
  await smallSolution(join(folder, 'good'), { keep: true });
  await succeeds(['keygen', '-o', 'k'], { cwd });
  await succeeds(['pack', 'good', '-o', 'good.iso', '--sign', 'k.key'], { cwd });
  await succeeds(['pack', 'good', '-o', 'good.tar', '--sign', 'k.key'], { cwd });
});

/** Runs solpack, which has to refuse in one line on stderr that ends with `code`. */
async function refuses(
  args: readonly string[],
  exit: number,
  code: string,
  env: Record<string, string> = {},
): Promise<string> {
  const outcome = await solpack([...args, '--quiet'], { cwd, env });
  return refused(outcome, exit, code);
}

function refused({ code: found, stderr, stdout }: Outcome, exit: number, code: string): string {
  expect([found, stderr]).toEqual([exit, expect.stringContaining(`[${code}]`)]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/^solpack: .*; .* \[[a-z-]+\]\n$/);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stdout).toBe('');
  return stderr;
}

function damaged(name: string, from: string, work: (path: string) => void): string {
  copyFileSync(join(folder, from), join(folder, name));
  work(join(folder, name));
  return name;
}

function flip(path: string, at: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Uint8Array.of(readFileSync(path)[at]! ^ 1), 0, 1, at);
  closeSync(file);
}

describe('an archive', () => {
  test.each(['inspect', 'verify', 'ls', 'serve'])('that is not there: %s names it', async (command) => {
    expect(await refuses([command, 'none.iso'], 2, 'file-missing')).toContain('none.iso');
  });

  test.each(['inspect', 'verify', 'ls', 'serve', 'extract'])('that is none: %s says so', async (command) => {
    writeFileSync(join(folder, 'text.iso'), 'just some text\n'.repeat(10_000));
    expect(await refuses([command, 'text.iso'], 2, 'archive-invalid')).toContain(
      'neither ISO 9660 image nor OCI archive',
    );
    writeFileSync(join(folder, 'empty.iso'), '');
    await refuses([command, 'empty.iso'], 2, 'archive-invalid');
  });

  test('that is some other ISO or tar is told from a Solution', async () => {
    writeFiles(folder, { 'other/readme': 'hello' });
    await ok('tar', ['-cf', 'other.tar', 'other'], { cwd });
    expect(await refuses(['inspect', 'other.tar'], 2, 'archive-invalid')).toContain('does not hold a Solution');
    expect(await succeeds(['ls', 'other.tar'], { cwd })).toContain('other/readme');
  });

  test.each([
    ['good.iso', 200_000],
    ['good.tar', 9_000],
    ['good.iso', 1],
    ['good.tar', 1],
  ])('%s that lacks its last %d bytes is one finding, which says so', async (from, lacks) => {
    const whole = statSync(join(folder, from)).size;
    const size = whole - lacks;
    const name = damaged(`cut-${lacks}-${from}`, from, (path) => truncateSync(path, size));
    const missing = `bytes are missing at the end: ${sizeWords(lacks)} of ${sizeWords(whole)}; copy it again`;
    const { code, stdout } = await solpack(['verify', name, '--key', 'k.pub', '--json'], { cwd });
    expect([code, JSON.parse(stdout).findings]).toEqual([
      1,
      [{ code: 'truncated', subject: 'archive', message: missing }],
    ]);
    expect(await refuses(['inspect', name], 1, 'archive-damaged')).toContain(missing);
  });

  test.each(['good.iso', 'good.tar'])(
    '%s cut off before its files says how many bytes are missing, and nothing of it is extracted',
    async (from) => {
      const name = damaged(`head-of-${from}`, from, (path) => truncateSync(path, 50_000));
      expect(await refuses(['inspect', name], 1, 'archive-damaged')).toMatch(/bytes are missing at the end: /);
      const { code, stdout, stderr } = await solpack(['verify', name], { cwd });
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('bytes are missing at the end: ')]);
      expect(await refuses(['extract', name, '-C', 'cut-files'], 1, 'archive-damaged')).toContain('truncated');
      expect(existsSync(join(folder, 'cut-files'))).toBe(false);
    },
  );

  test.each(['good.iso', 'good.tar'])(
    '%s with a flipped byte in its content ends verify with 1, naming the content',
    async (from) => {
      const bytes = readFileSync(join(folder, from));
      const layer = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08]));
      const name = damaged(`flipped-${from}`, from, (path) => flip(path, layer + 30));
      const { code, stdout } = await solpack(['verify', name, '--key', 'k.pub'], { cwd });
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /blob-mismatch +sha256:\S+: layer \d of \S+ \(\w+\/\w+\), and one more image: the [\d.]+ \w+ at byte/,
      );
    },
  );

  test('with bytes behind its end ends verify with 1', async () => {
    const name = damaged('longer.iso', 'good.iso', (path) => appendFileSync(path, 'more'));
    const { code, stdout } = await solpack(['verify', name, '--key', 'k.pub', '--json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toMatchObject([{ code: 'trailing-data' }]);
  });

  test('that nobody trusted has signed ends verify with 3', async () => {
    await succeeds(['keygen', '-o', 'other', '--type', 'ed25519'], { cwd });
    const { code, stdout } = await solpack(['verify', 'good.iso', '--key', 'other.pub', '--json'], { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      trusted: false,
      findings: [{ code: 'signature-untrusted' }],
    });
    for (const args of [
      ['good.iso', '--key', 'other.pub', '--key', 'k.pub'],
      ['--key', 'k.pub', 'good.iso'],
    ]) {
      expect((await solpack(['verify', ...args], { cwd })).code).toBe(0);
    }
  });
});

describe('pack', () => {
  const define = (name: string, replace: (text: string) => string): string => {
    const text = replace(readFileSync(join(folder, 'good/solution.toml'), 'utf8'));
    writeFileSync(join(folder, 'good', name), text);
    return join('good', name);
  };
  const outputs = (): string[] => readdirSync(folder).filter((name) => name.startsWith('out.'));

  test.each([
    ['a definition that is not there', () => 'none.toml', 'file-missing', 'none.toml'],
    [
      'an unknown field',
      () => define('field.toml', (text) => text.replace('reference =', 'referense =')),
      'definition-invalid',
      'field.toml:5:1: images.0.referense: unknown field; did you mean "reference"?',
    ],
    [
      'a version that is not SemVer',
      () => define('version.toml', (text) => text.replace('"1.0.0"', '"1.0"')),
      'definition-invalid',
      'version.toml:2:1: version: has to be a SemVer 2.0.0 version',
    ],
    [
      'what is not TOML',
      () => define('toml.toml', (text) => text.replace('name =', 'name')),
      'definition-invalid',
      'toml.toml:1:',
    ],
    [
      'what is not UTF-8',
      () => {
        const name = define('bytes.toml', (text) => text);
        appendFileSync(join(folder, name), Buffer.of(0x23, 0xff));
        return name;
      },
      'definition-invalid',
      'bytes.toml: not valid UTF-8',
    ],
    [
      'an image that its source has not',
      () =>
        define('image.toml', (text) =>
          text.replace('images:registry.example.com/hello/web', 'images:registry.example.com/hello/app'),
        ),
      'image-absent',
      'registry.example.com/hello/web:1.0.0',
    ],
    [
      'a source that is not there',
      () => define('source.toml', (text) => text.replace('oci:images', 'oci:nowhere')),
      'file-missing',
      'nowhere',
    ],
    [
      'a component that is not there',
      () => define('component.toml', (text) => text.replace('"base.yaml"', '"nothing.yaml"')),
      'file-missing',
      'nothing.yaml',
    ],
    [
      'a component by a path of this machine',
      () => define('outside.toml', (text) => text.replace('"base.yaml"', '"/etc/passwd"')),
      'path-escapes',
      '/etc/passwd',
    ],
  ])('refuses %s, and leaves nothing behind', async (_, definition, code, words) => {
    expect(await refuses(['pack', definition(), '-o', 'out.iso'], 2, code)).toContain(words);
    expect(outputs()).toEqual([]);
  });

  test('refuses an output of no known format', async () => {
    expect(await refuses(['pack', 'good', '-o', 'out.zip'], 2, 'usage-invalid')).toContain('.iso or .tar');
    expect(outputs()).toEqual([]);
  });

  test('refuses an output in a folder that is not there', async () => {
    await refuses(['pack', 'good', '-o', 'nowhere/out.iso'], 6, 'output-unwritable');
  });

  test('refuses an output that is a folder', async () => {
    mkdirSync(join(folder, 'folder.iso'));
    await refuses(['pack', 'good', '-o', 'folder.iso'], 6, 'output-unwritable');
    expect(readdirSync(folder)).not.toContain('folder.iso.partial');
  });

  test('refuses an output that may not be written', async () => {
    mkdirSync(join(folder, 'closed'));
    chmodSync(join(folder, 'closed'), 0o500);
    // Permissions do not bind root; a file system that is read-only does.
    const target = process.getuid?.() === 0 ? '/proc/out.iso' : 'closed/out.iso';
    await refuses(['pack', 'good', '-o', target], 6, 'output-unwritable');
  });

  judged('tells of a disk that fills up while it writes, and leaves nothing behind', ['bash'], async () => {
    const script = `ulimit -f 100; exec ${solpackQuoted} pack good -o out.iso --quiet`;
    refused(await run('bash', ['-c', script], { cwd }), 6, 'disk-full');
    expect(outputs()).toEqual([]);
  });

  test('refuses what solution.lock does not name, where that is asked for', async () => {
    await smallSolution(join(folder, 'locked'), { keep: true });
    await refuses(['pack', 'locked', '-o', 'out.iso', '--locked'], 2, 'lock-mismatch');
    await succeeds(['pack', 'locked', '-o', 'locked.iso'], { cwd });
    await succeeds(['pack', 'locked', '-o', 'locked.iso', '--locked'], { cwd });
    appendFileSync(join(folder, 'locked/base.yaml'), '  labels: {}\n');
    expect(await refuses(['pack', 'locked', '-o', 'out.iso', '--locked'], 2, 'lock-mismatch')).toContain(
      'component base',
    );
    expect(outputs()).toEqual([]);
  });

  test('refuses an image that is another one than the lock says, until that is accepted', async () => {
    await smallSolution(join(folder, 'moved'));
    await succeeds(['pack', 'moved', '-o', 'moved.iso'], { cwd });
    const before = readFileSync(join(folder, 'moved/solution.lock'), 'utf8');
    await ok('rm', ['-r', join(folder, 'moved/images')]);
    await smallSolution(join(folder, 'moved'), { seed: 'rebuilt' });
    expect(await refuses(['pack', 'moved', '-o', 'out.iso'], 2, 'lock-mismatch')).toContain('--update');
    await succeeds(['pack', 'moved', '-o', 'moved.iso', '--update'], { cwd });
    expect(readFileSync(join(folder, 'moved/solution.lock'), 'utf8')).not.toBe(before);
  });
});

describe('install', () => {
  const configure = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';

  test('refuses two archives with the same name and version, naming both', async () => {
    const file = configure('twice.yaml', `${head}solutions: [{name: hello, archives: [good.iso, good.tar]}]\n`);
    const line = await refuses(['install', '-f', file, '--key', 'k.pub', '--render', 'never'], 2, 'version-conflict');
    expect(line).toContain('good.iso');
    expect(line).toContain('good.tar');
  });

  test('refuses to activate a version that is in no archive', async () => {
    const file = configure('absent.yaml', `${head}archives: [good.iso]\nactive: {hello: 2.0.0}\n`);
    expect(
      await refuses(['install', '-f', file, '--key', 'k.pub', '--render', 'never'], 2, 'version-absent'),
    ).toContain('1.0.0');
  });

  test.each([
    ['that is not there', undefined, 'file-missing'],
    ['of another kind', head.replace('SolutionsConfiguration', 'ConfigMap'), 'configuration-invalid'],
    ['that is not YAML', 'a: [', 'configuration-invalid'],
    ['that names an archive which is not there', `${head}archives: [none.iso]\n`, 'file-missing'],
  ])('refuses a SolutionsConfiguration %s', async (_, text, code) => {
    const file = text === undefined ? 'none.yaml' : configure('bad.yaml', text);
    await refuses(['install', '-f', file, '--key', 'k.pub', '--render', 'never'], 2, code);
  });

  test('refuses a damaged archive before it does anything', async () => {
    const bytes = readFileSync(join(folder, 'good.iso'));
    damaged('broken.iso', 'good.iso', (path) => flip(path, bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08])) + 30));
    const file = configure('broken.yaml', `${head}archives: [broken.iso]\nactive: {hello: latest}\n`);
    await refuses(['install', '-f', file, '--key', 'k.pub', '--render', 'never'], 1, 'verification-failed');
    expect(readdirSync(folder)).not.toContain('never');
  });

  test('tells of a registry that does not answer', async () => {
    const file = configure('fine.yaml', `${head}archives: [good.iso]\nactive: {hello: latest}\n`);
    await refuses(
      ['install', '-f', file, '--key', 'k.pub', '--images-only', '--registry', 'http://127.0.0.1:1'],
      4,
      'registry-unreachable',
    );
    await refuses(
      ['install', '-f', file, '--key', 'k.pub', '--images-only', '--registry', 'localhost:5000'],
      2,
      'usage-invalid',
    );
  });
});

describe('the command line', () => {
  test.each([
    ['an unknown command', ['pak']],
    ['an unknown option', ['pack', '--foo']],
    ['a missing argument', ['inspect']],
    ['a missing option', ['pack', 'good']],
    ['an argument too many', ['inspect', 'a', 'b']],
    ['an address that is none', ['serve', 'good.iso', '--listen', 'somewhere']],
    ['options that contradict each other', ['pack', 'good', '-o', 'out.iso', '--locked', '--update']],
  ])('with %s is refused', async (_, args) => {
    await refuses(args, 2, 'usage-invalid');
  });

  test('names the help of the command that it is about', async () => {
    expect(await refuses(['inspect'], 2, 'usage-invalid')).toContain('"solpack inspect --help" shows how');
    expect(await refuses(['pak'], 2, 'usage-invalid')).toContain('"solpack --help" lists the commands');
  });

  test('takes the version that a command is given for an option that it does not have, and not for a question', async () => {
    expect(await refuses(['init', '--version', '1.0.0'], 2, 'usage-invalid')).toContain("unknown option '--version'");
  });

  test('tells its version, and how to use it', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(await succeeds(['--version'])).toBe(`${version}\n`);
    const help = await succeeds(['--help']);
    for (const command of [
      'pack',
      'inspect',
      'ls',
      'extract',
      'verify',
      'keygen',
      'sign',
      'unsign',
      'serve',
      'install',
      'load',
      'trust',
    ]) {
      expect(help).toContain(command);
      expect(await succeeds([command, '--help'])).toContain('Examples:');
    }
  });

  test('that is interrupted while it serves ends at once', async () => {
    const { starts } = await import('../support/cli.ts');
    await using serving = await starts(['serve', 'good.iso', '--listen', '127.0.0.1:0'], { cwd });
    expect(serving.first).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await serving.stop('SIGINT')).toBe(0);
  });

  judged('tells where its output cannot be written, and takes a closed pipe for the end', ['bash'], async () => {
    for (const command of ['ls', 'inspect']) {
      refused(await run('bash', ['-c', `${solpackQuoted} ${command} good.iso >/dev/full`], { cwd }), 6, 'disk-full');
      const piped = await run('bash', ['-o', 'pipefail', '-c', `${solpackQuoted} ${command} good.iso | true`], { cwd });
      expect([piped.code, piped.stderr]).toEqual([0, '']);
    }
  });

  test('never overwrites a key', async () => {
    await refuses(['keygen', '-o', 'k'], 2, 'output-exists');
  });

  test('writes a private key that only its owner can read', () => {
    expect(statSync(join(folder, 'k.key')).mode & 0o777).toBe(0o600);
  });
});
