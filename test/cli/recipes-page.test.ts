import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { smallSolution } from '../support/cli.ts';
import { judged, run, scratch } from '../support/judges.ts';
import { solpackQuoted } from '../support/under-test.ts';

const folder = scratch('recipes');
const page = readFileSync(join(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
/** Blocks for bash are those that the page calls tested. */
const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, text]) => text!);

judged(
  'the recipes of docs/recipes.md do what the page says, one after the other',
  ['bash', 'jq', 'openssl'],
  async () => {
    expect(page.match(/\*Tested/g)).toHaveLength(blocks.length);
    await smallSolution(join(folder, 'guestbook'), { name: 'guestbook' });
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    mkdirSync(join(folder, 'k3s-images'));
    writeFileSync(join(bin, 'solpack'), `#!/bin/sh\nexec ${solpackQuoted} "$@"\n`, { mode: 0o755 });
    const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
    const { code, stdout, stderr } = await run('bash', ['-e', '-o', 'pipefail', '-c', blocks.join('\n')], {
      ...{ cwd: folder, env },
    });
    expect([code, stderr]).toEqual([0, expect.anything()]);
    expect(stdout).toMatch(/^not trusted guestbook.*threshold-unmet.*^verified guestbook/ms);
    expect(stdout).toMatch(/^not intact guestbook.*\n.*\n {2}1 finding:/m);
    expect(readdirSync(join(folder, 'k3s-images')).join()).toMatch(/\.tar|\.zst/);
    expect(existsSync(join(folder, 'new.html'))).toBe(true);
    expect(readFileSync(join(folder, 'solutions.yaml'), 'utf8')).toMatch(/1\.1\.0\.delta\.iso/);
  },
);
