import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { smallSolution, solpack, succeeds } from '../support/cli.ts';
import { find, judged, ok, scratch } from '../support/judges.ts';
import { solpackWords } from '../support/under-test.ts';

const folder = scratch('cli-sign');
const cwd = folder;
const at = (name: string): string => join(folder, name);

vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  await smallSolution(at('src'));
  await succeeds(['pack', 'src', '-o', 'plain.iso'], { cwd });
  await succeeds(['keygen', '-o', 'k'], { cwd });
});

async function refuses(args: readonly string[], code: string, env: Record<string, string> = {}): Promise<string> {
  const result = await solpack(args, { cwd, env });
  expect(result.stderr.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`\\[${code}\\]$`));
  expect(result.stderr).not.toContain('    at ');
  return result.stderr;
}

/**
 * Runs solpack on a terminal, gives an answer whenever it has asked, and returns all that was shown, and its exit code.
 */
function answered(
  args: readonly string[],
  question: RegExp,
  answers: readonly string[],
): Promise<[string, number | null]> {
  const words = [...solpackWords, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(find('script')!, ['-qec', words, '/dev/null'], { cwd });
  let shown = '';
  let given = 0;
  child.stdout.on('data', (chunk) => {
    shown += chunk;
    if ((shown.match(new RegExp(question, 'g')) ?? []).length > given && given < answers.length) {
      child.stdin.write(answers[given]!);
      given += 1;
    }
  });
  return new Promise((settle, reject) => {
    child.on('error', reject);
    child.on('close', (code) => settle([shown, code]));
  });
}

const asked = /(?:Passphrase for .*|The same again): /;

describe('keygen', () => {
  judged('encrypts with the passphrase of a file, or of SOLPACK_PASSPHRASE', ['openssl'], async () => {
    writeFileSync(at('pass'), 'from a file\r\nsecond line\n');
    const env = { SOLPACK_PASSPHRASE: 'from the environment' };
    await succeeds(['keygen', '-o', 'file', '--passphrase-file', 'pass'], { cwd, env });
    const made = JSON.parse(await succeeds(['keygen', '-o', 'env', '--type', 'ed25519', '--json'], { cwd, env }));
    expect(made).toMatchObject({ encrypted: true });
    for (const [name, passphrase] of [
      ['file', 'from a file'],
      ['env', 'from the environment'],
    ]) {
      const shown = await ok('openssl', ['pkey', '-in', at(`${name}.key`), '-passin', `pass:${passphrase}`, '-pubout']);
      expect(shown).toBe(readFileSync(at(`${name}.pub`), 'utf8'));
      expect(statSync(at(`${name}.key`)).mode & 0o777).toBe(0o600);
    }
  });

  test('without a passphrase, and with nobody to ask, warns that the key is not encrypted', async () => {
    const { code, stdout, stderr } = await solpack(['keygen', '-o', 'bare'], { cwd });
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('not encrypted'),
      expect.stringContaining('note: '),
    ]);
    expect(readFileSync(at('bare.key'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(statSync(at('bare.key')).mode & 0o777).toBe(0o600);
  });

  judged('asks twice on a terminal, and shows nothing of what is typed', ['script', 'openssl'], async () => {
    // A slip that is taken back: 127 is what the key above Enter sends.
    const [shown, code] = await answered(['keygen', '-o', 'typed'], asked, ['sesal\u007fme\r', 'sesame\r']);
    expect([code, shown]).toEqual([0, expect.not.stringContaining('sesa')]);
    await ok('openssl', ['pkey', '-in', at('typed.key'), '-passin', 'pass:sesame', '-noout']);
  });

  judged('makes no key where two ways were typed, or Ctrl-C', ['script'], async () => {
    const [shown, code] = await answered(['keygen', '-o', 'never'], asked, ['one\r', 'two\r']);
    expect([code, shown]).toEqual([2, expect.stringContaining('[usage-invalid]')]);
    expect((await answered(['keygen', '-o', 'never'], asked, ['on\u0003']))[1]).toBe(130);
    expect(() => statSync(at('never.key'))).toThrow('ENOENT');
  });

  judged('takes an empty answer for no passphrase', ['script'], async () => {
    const [shown, code] = await answered(['keygen', '-o', 'empty'], asked, ['\r']);
    expect([code, shown]).toEqual([0, expect.stringContaining('is not encrypted')]);
  });

  test('refuses an empty passphrase file', async () => {
    writeFileSync(at('nothing'), '\n');
    await refuses(['keygen', '-o', 'never', '--passphrase-file', 'nothing'], 'usage-invalid');
  });
});

describe('sign', () => {
  test('opens an encrypted key with its passphrase alone', async () => {
    const env = { SOLPACK_PASSPHRASE: 'secret' };
    await succeeds(['keygen', '-o', 'sealed'], { cwd, env });
    copyFileSync(at('plain.iso'), at('sealed.iso'));
    await refuses(['sign', 'sealed.iso', '--private-key', 'sealed.key'], 'key-invalid');
    await refuses(['sign', 'sealed.iso', '--private-key', 'sealed.key'], 'key-invalid', {
      SOLPACK_PASSPHRASE: 'other',
    });
    expect(readFileSync(at('sealed.iso')).equals(readFileSync(at('plain.iso')))).toBe(true);
    await succeeds(['sign', 'sealed.iso', '--private-key', 'sealed.key'], { cwd, env });
    await succeeds(['pack', 'src', '-o', 'sealed-2.iso', '--sign', 'sealed.key'], { cwd, env });
    for (const archive of ['sealed.iso', 'sealed-2.iso'])
      await succeeds(['verify', archive, '--key', 'sealed.pub'], { cwd });
  });

  judged('asks for the passphrase on a terminal, once', ['script'], async () => {
    await succeeds(['keygen', '-o', 'asked'], { cwd, env: { SOLPACK_PASSPHRASE: 'secret' } });
    copyFileSync(at('plain.iso'), at('asked.iso'));
    const [shown, code] = await answered(['sign', 'asked.iso', '--private-key', 'asked.key'], asked, ['secret\r']);
    expect([code, shown]).toEqual([0, expect.not.stringContaining('secret')]);
    await succeeds(['verify', 'asked.iso', '--key', 'asked.pub'], { cwd });
  });

  test('tells what it checked, and that a key has signed already', async () => {
    copyFileSync(at('plain.iso'), at('told.iso'));
    expect(await succeeds(['sign', 'told.iso', '--private-key', 'k.key'], { cwd })).toContain(
      '"--verify" checks every byte',
    );
    const again = JSON.parse(await succeeds(['sign', 'told.iso', '--private-key', 'k.key', '--json'], { cwd }));
    expect(again).toMatchObject({ slot: 0, already: true });
    expect(await succeeds(['sign', 'told.iso', '--private-key', 'k.key'], { cwd })).toContain('is signed already');
  });

  judged('has a command sign, also for pack', ['openssl'], async () => {
    copyFileSync(at('plain.iso'), at('command.iso'));
    const signer = ['--signer', 'openssl dgst -sha256 -sign k.key'];
    await succeeds(['sign', 'command.iso', '--key', 'k.pub', '--verify', ...signer], { cwd });
    await succeeds(['pack', 'src', '-o', 'command-2.iso', '--sign', 'k.pub', ...signer], { cwd });
    for (const archive of ['command.iso', 'command-2.iso'])
      await succeeds(['verify', archive, '--key', 'k.pub'], { cwd });
    await refuses(['sign', 'plain.iso', '--key', 'k.pub', '--signer', 'false'], 'tool-failed');
    await refuses(['sign', 'plain.iso', '--key', 'k.key', ...signer], 'key-invalid');
    await refuses(['sign', 'plain.iso', '--key', 'k.pub'], 'key-invalid');
    await refuses(['pack', 'src', '-o', 'never.iso', ...signer], 'usage-invalid');
    await refuses(['sign', 'plain.iso', '--key', 'k.pub', '--passphrase-file', 'pass', ...signer], 'usage-invalid');
  });

  test('that is killed while it signs leaves the archive as it was', async () => {
    copyFileSync(at('plain.iso'), at('killed.iso'));
    const { code } = await solpack(['sign', 'killed.iso', '--key', 'k.pub', '--signer', 'kill -9 $PPID'], { cwd });
    expect(code).not.toBe(0);
    expect(readFileSync(at('killed.iso')).equals(readFileSync(at('plain.iso')))).toBe(true);
  });

  test('of what is not there, or is not an archive, is refused', async () => {
    await refuses(['sign', 'absent.iso', '--private-key', 'k.key'], 'file-missing');
    await refuses(['sign', 'k.pub', '--private-key', 'k.key'], 'archive-invalid');
  });
});

describe('a bundle in a file of its own', () => {
  test('counts like a slot for verify', async () => {
    await succeeds(['sign', 'plain.iso', '--private-key', 'k.key', '-o', 'b.json'], { cwd });
    await succeeds(['verify', 'plain.iso', '--key', 'k.pub', '--bundle', 'b.json'], { cwd });
    expect((await solpack(['verify', 'plain.iso', '--key', 'k.pub'], { cwd })).code).toBe(3);
    await succeeds(['keygen', '-o', 'stranger'], { cwd });
    const args = ['verify', 'plain.iso', '--key', 'stranger.pub', '--bundle', 'b.json'];
    expect((await solpack(args, { cwd })).code).toBe(3);
  });

  test('that is none, is of another archive, or is not there is reported', async () => {
    writeFileSync(at('no.json'), '{}');
    const verify = ['verify', 'plain.iso', '--key', 'k.pub', '--bundle'];
    const told = await solpack([...verify, 'no.json', '--json'], { cwd });
    expect(JSON.parse(told.stdout).findings[0]).toMatchObject({ code: 'signature-invalid', subject: 'no.json' });
    await smallSolution(at('other'), { version: '2.0.0' });
    await succeeds(['pack', 'other', '-o', 'other.iso'], { cwd });
    await succeeds(['sign', 'other.iso', '--private-key', 'k.key', '-o', 'other.json'], { cwd });
    const foreign = await solpack([...verify, 'other.json', '--json'], { cwd });
    expect(JSON.parse(foreign.stdout).findings[0]).toMatchObject({ message: 'it signs another root' });
    await refuses([...verify, 'absent.json'], 'file-missing');
    await refuses(['verify', 'plain.iso', '--bundle', 'no.json'], 'usage-invalid');
  });
});

describe('unsign', () => {
  test('removes what is asked for, and then the archive is the unsigned one', async () => {
    copyFileSync(at('plain.iso'), at('unsigned.iso'));
    await succeeds(['keygen', '-o', 'second', '--type', 'ed25519'], { cwd });
    for (const key of ['k', 'second']) await succeeds(['sign', 'unsigned.iso', '--private-key', `${key}.key`], { cwd });
    expect(await succeeds(['unsign', 'unsigned.iso', '--key', 'second.pub'], { cwd })).toMatch(/from slot 1\n$/);
    await succeeds(['verify', 'unsigned.iso', '--key', 'k.pub'], { cwd });
    const removed = JSON.parse(await succeeds(['unsign', 'unsigned.iso', '--slot', '0', '--json'], { cwd }));
    expect(removed).toMatchObject({ emptied: [{ slot: 0 }], attestations: [] });
    expect(await succeeds(['unsign', 'unsigned.iso', '--key', 'k.pub'], { cwd })).toMatch(
      /^removed the signature by key [0-9a-f]{16} from 1 attestation\n$/,
    );
    expect(readFileSync(at('unsigned.iso')).equals(readFileSync(at('plain.iso')))).toBe(true);
    expect(await succeeds(['unsign', 'unsigned.iso'], { cwd })).toContain('nothing changed');
  });

  test.each([
    ['a slot that is not a number', ['--slot', 'one']],
    ['a slot that is not there', ['--slot', '8']],
    ['a slot and a key', ['--slot', '0', '--key', 'k.pub']],
  ])('refuses %s', async (_, args) => {
    await refuses(['unsign', 'plain.iso', ...args], 'usage-invalid');
  });
});

describe('a fingerprint on paper', () => {
  const said = (stdout: string): string =>
    /^ {2}fingerprint +([0-9a-f]{4}(?: [0-9a-f]{4}){15})$/m.exec(stdout)?.[1] ?? '';

  test('is printed by keygen in groups, and verifies what the key has signed, without its file', async () => {
    const mine = said(await succeeds(['keygen', '-o', 'paper'], { cwd }));
    const other = said(await succeeds(['keygen', '-o', 'other-paper'], { cwd }));
    copyFileSync(at('plain.iso'), at('paper.iso'));
    await succeeds(['sign', 'paper.iso', '--private-key', 'paper.key'], { cwd });
    for (const form of [mine, mine.replaceAll(' ', ''), `SHA256:${mine.replaceAll(' ', ':').toUpperCase()}`]) {
      const shown = await succeeds(['verify', 'paper.iso', '--fingerprint', form], { cwd });
      expect(shown).toMatch(/^verified hello 1\.0\.0/);
    }
    const refused = await solpack(['verify', 'paper.iso', '--fingerprint', other], { cwd });
    expect([refused.code, refused.stdout]).toEqual([3, expect.stringContaining('signature-untrusted')]);
    await succeeds(['verify', 'paper.iso', '--fingerprint', mine, '--key', 'paper.pub'], { cwd });
    expect(
      await refuses(['verify', 'paper.iso', '--fingerprint', mine, '--key', 'other-paper.pub'], 'key-invalid'),
    ).toContain(other);
    await refuses(['verify', 'paper.iso', '--fingerprint', mine.slice(0, 20)], 'usage-invalid');
    await refuses(['verify', 'paper.iso', '--fingerprint', mine, '--policy', 'trust.toml'], 'usage-invalid');
  });

  test('of Ed25519 needs the file of the key as well, which is compared', async () => {
    const mine = said(await succeeds(['keygen', '-o', 'paper-ed', '--type', 'ed25519'], { cwd }));
    copyFileSync(at('plain.iso'), at('paper-ed.iso'));
    await succeeds(['sign', 'paper-ed.iso', '--private-key', 'paper-ed.key'], { cwd });
    expect(await refuses(['verify', 'paper-ed.iso', '--fingerprint', mine], 'key-invalid')).toContain('--key');
    await succeeds(['verify', 'paper-ed.iso', '--fingerprint', mine, '--key', 'paper-ed.pub'], { cwd });
  });
});

test('verify without a key says that an archive is intact, and not that it is verified', async () => {
  const shown = await succeeds(['verify', 'plain.iso'], { cwd });
  expect(shown).toMatch(/^intact, not verified hello 1\.0\.0/);
  expect(shown).toContain('give --key, --fingerprint or --policy');
});
