import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { succeeds, writeFiles } from '../support/cli.ts';
import { type HeldServer, heldServer } from '../support/held-server.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { judged, scratch } from '../support/judges.ts';
import { emulated, type ShellTerminal } from '../support/shell-terminal.ts';
import { solpackQuoted } from '../support/under-test.ts';

const folder = scratch('progress-screen');
const MiB = 1024 * 1024;
const reference = 'registry.example.com/large:1';

beforeAll(async () => {
  // Half of it stays when it is compressed.
  const content = createHash('shake256', { outputLength: 12 * MiB })
    .update('large')
    .digest('hex');
  await writeLayout(join(folder, 'image'), [
    { name: reference, image: buildImage({ seed: 'large', files: { 'etc/large': content } }) },
  ]);
  writeFiles(folder, {
    'solution.toml': `name = "large"\nversion = "1.0.0"\n\n[[images]]\nreference = "${reference}"\nsource = "oci:image:${reference}"\n`,
  });
  await succeeds(['pack', '.', '-o', 'large.iso', '-q'], { cwd: folder });
});

/** Verifies an archive whose second half does not come, on a terminal of 80 x 24. */
function verifying(name: string, locale?: string): Promise<Held> {
  return held(name, 4 * MiB, (url) => `verify '${url}' --content-only`, locale);
}

interface Held {
  readonly server: HeldServer;
  readonly terminal: ShellTerminal;
}

/** Runs a command on an archive of which no more than its first `free` bytes come, on a terminal of 80 x 24. */
async function held(name: string, free: number, command: (url: string) => string, locale?: string): Promise<Held> {
  const server = await heldServer(join(folder, 'large.iso'), 'large.iso', free);
  // Ctrl-C is for the command, and not for the shell around it.
  const words = `trap : INT; ${solpackQuoted} ${command(server.url)}; echo ended with $?; exec cat`;
  const own = join(folder, name);
  writeFiles(own, { empty: '' });
  const terminal = await emulated(own, folder, { columns: 80, lines: 24 }, ['sh', '-c', words], locale);
  await server.isWaitedFor;
  return { server, terminal };
}

/** What a screen says whatever the machine: no port, no time, no rate; bytes as they are. */
function steady(screen: string): string[] {
  return screen
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .split('\n')
    .map((row) => row.replaceAll(/ {2,}\d+(?:\.\d)? (?:[KM]i)?B\/s/g, '').replaceAll(/ +\d+ s$/g, ' TIME'));
}

/** Whether a screen tells of bytes, of which some are there. */
const hasGauge = (screen: string): boolean => / [1-9]\d % {2}/.test(screen);

describe('on a terminal of 80 x 24', () => {
  judged(
    'bytes have two rows, which a window that becomes smaller keeps, and which are gone in the end',
    ['tmux'],
    async () => {
      const { server, terminal } = await verifying('wide');
      await using _ = server;
      await using __ = terminal;
      expect(steady(await terminal.shows(hasGauge))).toEqual([
        'verify   http://HOST/large.iso TIME',
        expect.stringMatching(/^ {9}█+░+ {2}\d+ % {2}[\d.]+ MiB of 1\d\.\d MiB(?: {2}\d+ s left)?$/),
      ]);
      await terminal.resize(52, 20);
      expect(steady(await terminal.shows((screen) => hasGauge(screen) && !screen.includes('░')))).toEqual([
        'verify   http://HOST/large.iso TIME',
        expect.stringMatching(/^ +\d+ % {2}[\d.]+ MiB of 1\d\.\d MiB(?: {2}\d+ s left)?$/),
      ]);
      server.letGo();
      const rows = (await terminal.shows((screen) => screen.includes('ended with'))).split('\n');
      expect(rows[0]).toMatch(/^done {5}in \d+(?:\.\d)? s: verify 1\d\.\d MiB/);
      expect(rows[1]).toMatch(/^intact, not verified large 1\.0\.0 /);
    },
  );

  judged('what is slow to open is told of, whichever command opens it', ['tmux'], async () => {
    const commands = {
      inspect: (url: string) => `inspect '${url}'`,
      ls: (url: string) => `ls '${url}' components`,
      diff: (url: string) => `diff large.iso '${url}'`,
      merge: (url: string) => `merge large.iso '${url}' -o merged.iso`,
    };
    for (const [name, command] of Object.entries(commands)) {
      const { server, terminal } = await held(name, 0, command);
      await using _ = server;
      await using __ = terminal;
      const screen = await terminal.shows((shown) => shown.startsWith('open '));
      expect(steady(screen)).toEqual(['open     http://HOST/large.iso TIME']);
      server.letGo();
      expect(await terminal.shows((shown) => shown.includes('ended with'))).not.toMatch(/^open /);
    }
  });

  judged('a file that is hashed while files are listed is named, and each line stands alone', ['tmux'], async () => {
    const { server, terminal } = await held('listed', 4 * MiB, (url) => `ls '${url}' blobs --digests`);
    await using _ = server;
    await using __ = terminal;
    await terminal.shows((screen) => /^hash {5}blobs\//m.test(screen));
    server.letGo();
    const screen = await terminal.shows((shown) => shown.includes('ended with'));
    expect(screen).toMatch(/^done {5}in \d+(?:\.\d)? s: hash 1\d\.\d MiB/m);
    expect(screen).not.toMatch(/%|hash {5}/);
  });

  judged('a gauge is of ASCII where the locale has no other characters', ['tmux'], async () => {
    const { server, terminal } = await verifying('ascii', 'C');
    await using _ = server;
    await using __ = terminal;
    expect(await terminal.shows(hasGauge)).toMatch(/ {9}#+-+ /);
  });

  judged('Ctrl-C leaves one sentence, and nothing of what was shown', ['tmux'], async () => {
    const { server, terminal } = await verifying('ended');
    await using _ = server;
    await using __ = terminal;
    await terminal.shows(hasGauge);
    await terminal.press('C-c');
    const screen = await terminal.shows((shown) => shown.includes('ended with'));
    expect(screen.split('\n')).toEqual(['solpack: interrupted; nothing was changed', 'ended with 130']);
  });
});
