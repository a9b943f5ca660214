import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { blobPath } from '../../formats/oci/layout.ts';
import { smallSolution, solpack, succeeds, writeFiles } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';
import { noise } from '../support/registry.ts';
import { solpackQuoted, solpackWords } from '../support/under-test.ts';

const folder = scratch('pipe');
const cwd = folder;

beforeAll(async () => {
  await smallSolution(join(folder, 'src'), { keep: true });
  // More than any pipe holds.
  const large = (name: string): string => {
    const data = Buffer.from(noise(name, 750_000)).toString('base64');
    return `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  d: ${data}\n`;
  };
  writeFiles(folder, {
    'src/web/large.yaml': large('one') + large('two'),
  });
  await succeeds(['keygen', '-o', 'k'], { cwd });
  await succeeds(['pack', 'src', '-o', 'a.iso'], { cwd });
  await succeeds(['pack', 'src', '-o', 'a.tar'], { cwd });
});

describe.each(['iso', 'tar'])('pack -o - --format %s', (format) => {
  judged('sends the very bytes that a file would have, and all else to stderr', ['bash'], async () => {
    const script = `${solpackQuoted} pack src -o - --format ${format} 2>err.${format} | cat > piped.${format}`;
    await ok('bash', ['-o', 'pipefail', '-c', script], { cwd });
    expect(readFileSync(join(folder, `piped.${format}`)).equals(readFileSync(join(folder, `a.${format}`)))).toBe(true);
    const told = readFileSync(join(folder, `err.${format}`), 'utf8');
    expect(told).toMatch(/write +-/);
    expect(told).toMatch(/packed hello 1\.0\.0/);
  });

  judged('does the same into a file that the shell opened', ['bash'], async () => {
    const script = `${solpackQuoted} pack src -o - --format ${format} --json -q 2>json.${format} > sent.${format}`;
    await ok('bash', ['-c', script], { cwd });
    expect(readFileSync(join(folder, `sent.${format}`)).equals(readFileSync(join(folder, `a.${format}`)))).toBe(true);
    const result = JSON.parse(readFileSync(join(folder, `json.${format}`), 'utf8'));
    expect(result).toMatchObject({ path: '-', carrier: format, name: 'hello' });
  });

  judged('can be read while it is made', ['bsdtar', 'bash'], async () => {
    const script = `${solpackQuoted} pack src -o - --format ${format} -q 2>/dev/null | bsdtar -xOf - manifest.yaml`;
    expect(await ok('bash', ['-c', script], { cwd })).toContain('kind: Solution');
  });
});

judged('a signed archive that was piped verifies', ['bash'], async () => {
  const script = `${solpackQuoted} pack src -o - --format iso --sign k.key -q 2>/dev/null > signed.iso`;
  await ok('bash', ['-c', script], { cwd });
  await succeeds(['verify', 'signed.iso', '--key', 'k.pub'], { cwd });
});

describe('pack -o - is refused', () => {
  test.each([
    [['-o', '-'], 'add --format iso or --format tar'],
    [['-o', '-', '--format', 'iso', '--resume'], 'name a file with -o'],
    [['-o', '-', '--format', 'zip'], '"zip" is none of iso, tar'],
    [['-o', 'x.iso', '--workers', '0'], 'leave it out to use every core'],
  ])('with %j', async (args, words) => {
    const { code, stdout, stderr } = await solpack(['pack', 'src', ...args], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/^solpack: .*\[usage-invalid\]\n$/);
  });

  judged('on a terminal', ['script'], async () => {
    const { stdout } = await run('script', ['-qec', `${solpackQuoted} pack src -o - --format iso`, '/dev/null'], {
      cwd,
    });
    expect(stdout).toContain('would write an archive to the terminal');
    expect(stdout.length).toBeLessThan(1000);
  });
});

test('--format names the format of a file whose name does not', async () => {
  await succeeds(['pack', 'src', '-o', 'plain', '--format', 'tar'], { cwd });
  expect(readFileSync(join(folder, 'plain')).equals(readFileSync(join(folder, 'a.tar')))).toBe(true);
});

judged('a reader that goes away is told of in one line', ['bash'], async () => {
  const script = `${solpackQuoted} pack src -o - --format iso -q 2>gone | head -c 100000 >/dev/null; echo "\${PIPESTATUS[0]}"`;
  expect((await ok('bash', ['-c', script], { cwd })).trim()).toBe('6');
  const told = readFileSync(join(folder, 'gone'), 'utf8');
  expect(told).toMatch(/^solpack: standard output: was closed by its reader .* \[output-unwritable\]\n$/);
});

test('damaged content ends in an error, and in bytes that are no whole archive', async () => {
  const { web } = await smallSolution(join(folder, 'bad'), { keep: true });
  await succeeds(['pack', 'bad', '-o', 'good.iso'], { cwd });
  const [digest, bytes] = [...web.blobs].find(([, blob]) => blob[0] === 0x1f)!;
  writeFiles(join(folder, 'bad/images'), { [blobPath(digest)]: Buffer.from(bytes).fill(1, 20, 30) });
  const { code, stderr, stdout } = await solpack(['pack', 'bad', '-o', '-', '--format', 'iso', '-q'], { cwd });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^solpack: sha256:.*\(at the source\).*\[content-mismatch\]\n$/),
  ]);
  expect(stdout.length).toBeLessThan(readFileSync(join(folder, 'good.iso')).length);
});

test('a reader that takes nothing more does not hold up the end', async () => {
  const [program, ...words] = solpackWords;
  const child = spawn(program, [...words, 'pack', 'src', '-o', '-', '--format', 'iso', '-q'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  // The first bytes are there, and nobody takes them.
  await once(child.stdout, 'readable');
  child.kill('SIGTERM');
  await once(child, 'exit');
  child.stdout.resume();
  expect((await ended)[0]).toBe(130);
  expect(told).toContain('interrupted');
});
