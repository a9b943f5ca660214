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
async function verifying(name: string, locale?: string): Promise<{ server: HeldServer; terminal: ShellTerminal }> {
  const server = await heldServer(join(folder, 'large.iso'), 'large.iso', 4 * MiB);
  // Ctrl-C is for the command, and not for the shell around it.
  const words = `trap : INT; ${solpackQuoted} verify '${server.url}' --content-only; echo ended with $?; exec cat`;
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
        expect.stringMatching(/^ {9}█+░+ {2}\d+ % {2}[\d.]+ MiB of 1\d\.\d MiB$/),
      ]);
      await terminal.resize(52, 20);
      expect(steady(await terminal.shows((screen) => hasGauge(screen) && !screen.includes('░')))).toEqual([
        'verify   http://HOST/large.iso TIME',
        expect.stringMatching(/^ +\d+ % {2}[\d.]+ MiB of 1\d\.\d MiB$/),
      ]);
      server.letGo();
      const rows = (await terminal.shows((screen) => screen.includes('ended with'))).split('\n');
      expect(rows[0]).toMatch(/^done {5}in \d+(?:\.\d)? s: verify 1\d\.\d MiB/);
      expect(rows[1]).toMatch(/^intact, not verified large 1\.0\.0 /);
    },
  );

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
