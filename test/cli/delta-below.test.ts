import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import type { EncoderCandidate } from '../../lib/shared/solutions/deltas/below/encoders.ts';
import { root } from '../../scripts/home.ts';
import { starts, writeFiles } from '../support/cli.ts';
import { encodedBy } from '../support/encoded.ts';
import { solpackHere } from '../support/here.ts';
import { buildImage, tarOf, writeLayout } from '../support/image.ts';
import { judged, type Outcome, scratch } from '../support/judges.ts';

// Deltas that make layers of older ones. An encoder is worth its bytes only for layers that are larger than it.

const folder = scratch('delta-below');
const at = (...names: string[]): string => join(folder, ...names);
const run = (...args: string[]): Promise<Outcome> => solpackHere([...args, '--quiet'], { cwd: folder });

async function works(...args: string[]): Promise<string> {
  const outcome = await run(...args);
  expect([args, outcome.code, outcome.stderr]).toEqual([args, 0, expect.any(String)]);
  return outcome.stdout;
}

function expectSame(one: string, other: string): void {
  expect(readFileSync(at(one)).equals(readFileSync(at(other))), `${one} and ${other}`).toBe(true);
}

/** Text that hardly compresses below half of its length. */
function noise(seed: string, length: number): string {
  const parts: string[] = [];
  for (let number = 0; number * 64 < length; number += 1) {
    parts.push(createHash('sha256').update(`${seed} ${number}`).digest('hex'));
  }
  return parts.join('').slice(0, length);
}

const program = noise('program', 2_200_000);
const encoder: EncoderCandidate = { name: 'klauspost-gzip', arguments: ['-1', '1048576'] };

/** The files of each release: the second one changes some bytes of the program, moves a file, and adds one. */
const releases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '1.0.0': { 'bin/program': program, 'etc/settings': noise('settings', 9000), 'lib/moved': noise('moved', 400_000) },
  '1.1.0': {
    'bin/program': `${program.slice(0, 1_000_000)}other${program.slice(1_000_010)}`,
    'etc/settings': noise('settings', 9000),
    'opt/moved': noise('moved', 400_000),
    'etc/fresh': noise('fresh', 3000),
  },
  '1.2.0': {
    'bin/program': `${program.slice(5, 1_900_000)}${program.slice(1_900_400)}`,
    'opt/moved': noise('moved', 400_000),
  },
};

beforeAll(async () => {
  for (const [version, files] of Object.entries(releases)) {
    const name = `registry.example.com/shop/app:${version}`;
    const layer = await encodedBy(encoder, tarOf(files));
    await writeLayout(at(version, 'images'), [
      { name, image: buildImage({ seed: version, files, compress: () => layer }) },
    ]);
    writeFiles(at(version), {
      'solution.toml': `name = "shop"\nversion = "${version}"\noperator = "${name}"\n\n[[images]]\nreference = "${name}"\nsource = "oci:images:${name}"\nkeep = true\n\n[[components]]\nname = "web"\nkind = "manifests"\npath = "web"\n`,
      'web/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n',
    });
    for (const format of ['iso', 'tar']) await works('pack', version, '-o', `${version}.${format}`);
  }
});

describe('a delta below the layer', () => {
  test('makes a layer of the older one, and gives back the bytes that pack made, in either format', async () => {
    for (const format of ['iso', 'tar']) {
      const [old, now] = [`1.0.0.${format}`, `1.1.0.${format}`];
      const made = JSON.parse(await works('delta', old, now, '-o', `d.${format}`, '--json'));
      const { delta, whole } = jsonSchemas.delta.parse(made);
      expect([delta, whole]).toMatchObject([{ patched: 1, sources: 1, bases: [{ version: '1.0.0' }] }, []]);
      await works('delta', old, now, '-o', `blobs.${format}`, '--blobs-only');
      expect(statSync(at(`d.${format}`)).size).toBeLessThan(statSync(at(`blobs.${format}`)).size - 500_000);
      await works('verify', `d.${format}`);
      await works('merge', old, `d.${format}`, '-o', `merged.${format}`);
      expectSame(`merged.${format}`, now);
    }
  });

  test('is read with what completes it as a whole archive', async () => {
    const complete = JSON.parse(await works('verify', 'd.iso', '--base', '1.0.0.tar', '--json'));
    expect(complete.delta).toMatchObject({ patched: 1, lacking: 0 });
    const alone = await run('merge', 'd.iso', 'd.iso', '-o', 'never.iso');
    expect(alone.stderr).toContain('[archive-incomplete]');
    const blob = JSON.parse(await works('inspect', 'd.iso', '--json')).delta;
    expect(blob.patched).toBe(1);
    await works('extract', 'd.iso', '--base', '1.0.0.iso', '-C', 'files');
    await using server = await starts(['serve', 'd.iso', '1.0.0.iso', '--listen', '127.0.0.1:0'], { cwd: folder });
    const { host } = new URL(server.first);
    await works('pull', `${host}/solutions/shop:1.1.0`, '-o', 'pulled.iso', '--plain-http');
    expectSame('pulled.iso', '1.1.0.iso');
  });

  judged('is made by hand as the page says', ['bsdtar', 'jq', 'python3', 'zstd'], async () => {
    const page = readFileSync(join(root, 'docs/delta.md'), 'utf8');
    const block = (language: string): string => page.split(`\`\`\`${language}\n`).at(-1)!.split('```')[0]!;
    const hand = at('hand');
    writeFiles(hand, { 'apply.py': block('python'), 'encode.mjs': block('js') });
    copyFileSync(at('1.0.0.iso'), join(hand, 'guestbook-1.0.0.iso'));
    copyFileSync(at('d.iso'), join(hand, 'guestbook-1.1.0.delta.iso'));
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, NODE_NO_WARNINGS: '1' };
    const { stdout } = await promisify(execFile)('sh', ['-euc', block('sh')], { cwd: hand, env });
    expect(stdout).toBe('layer: OK\n');
  });

  test('follows another one', async () => {
    await works('delta', '1.0.0.iso', 'd.iso', '1.2.0.iso', '-o', 'd2.iso');
    await works('merge', '1.0.0.iso', 'd.iso', 'd2.iso', '-o', 'chained.iso');
    expectSame('chained.iso', '1.2.0.iso');
  });
});
