import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('unused-images');
const name = (one: string): string => `registry.example.com/shop/${one}`;
const all = ['web:1', 'web:0', 'tool:1', 'job:1', 'short:1'].map(name).concat('docker.io/library/alpine:3');
const digests = new Map<string, string>();

beforeAll(async () => {
  const each = all.map((one) => ({ name: one, image: buildImage({ platforms: ['linux/amd64'], seed: one }) }));
  await writeLayout(join(folder, 'layout'), each);
  for (const { name, image } of each) digests.set(name, image.manifests[0]!.digest);
});

const head = '# A shop.\nname = "shop"\nversion = "1.0.0"\n';
const component = '\n[[components]]\nname = "web"\nkind = "manifests"\npath = "web.yaml"\n';
const listed = (image: string, more = ''): string =>
  `\n# About ${image}.\n[[images]]\nreference = "${image}"\nsource = "oci:../layout:${image}"\n${more}`;
const pod = (image: string, more = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: "${image}"${more}}]}\n`;

/** Writes a definition into a folder of its own. */
function defined(at: string, text: string, manifest: string): string {
  const home = join(folder, at);
  writeFiles(home, { 'solution.toml': text, 'web.yaml': manifest });
  return home;
}

async function unusedOf(home: string): Promise<string[]> {
  const listed = JSON.parse(await succeeds(['images', home, '--json']));
  expect(jsonSchemas.images.strict().parse(listed)).toEqual(listed);
  const checked = JSON.parse(await succeeds(['check', home, '--json']));
  expect(jsonSchemas.check.strict().parse(checked)).toEqual(checked);
  expect(checked.unused).toEqual(listed.unused);
  return listed.unused;
}

describe('images that the definition lists and no component names', () => {
  test('are reported by check, pack and images, refused by --strict, and taken out by --prune', async () => {
    const text = head + listed(name('web:1')) + listed(name('web:0')) + component;
    const home = defined('told', text, pod(name('web:1')));
    expect(await unusedOf(home)).toEqual([name('web:0')]);
    const { code, stderr } = await solpack(['check', home]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`${name('web:0')}: is listed, but no component names it`),
    ]);
    const strict = await solpack(['check', home, '--strict', '--json']);
    expect(strict.code).toBe(1);
    expect(JSON.parse(strict.stdout).findings).toEqual([
      expect.objectContaining({ code: 'image-unused', component: '', unused: name('web:0') }),
    ]);
    const iso = join(folder, 'told.iso');
    const refused = await solpack(['pack', home, '-o', iso, '--strict']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('[image-unused]')]);
    expect(JSON.parse(await succeeds(['pack', home, '-o', iso, '--json'])).unused).toEqual([name('web:0')]);
    // The lock proves the component now, and the same is reported.
    expect(await unusedOf(home)).toEqual([name('web:0')]);
    expect(await succeeds(['images', home])).toContain(`unused ${name('web:0')}`);
    expect(readFileSync(join(home, 'solution.toml'), 'utf8')).toBe(text);
    await succeeds(['images', home, '--prune']);
    const pruned = `${head}${listed(name('web:1'))}\n# About ${name('web:0')}.\n${component}`;
    expect(readFileSync(join(home, 'solution.toml'), 'utf8')).toBe(pruned);
    await succeeds(['check', home, '--strict']);
  });

  test('are not those that the author keeps', async () => {
    const text = head + listed(name('web:1')) + listed(name('tool:1'), 'keep = true\n') + component;
    const home = defined('kept', text, pod(name('web:1')));
    expect(await unusedOf(home)).toEqual([]);
    await succeeds(['images', home, '--prune']);
    expect(readFileSync(join(home, 'solution.toml'), 'utf8')).toBe(text);
    await succeeds(['check', home, '--strict']);
  });

  test('are none that objects name in any way', async () => {
    const manifest = [
      pod(`${name('web')}@${digests.get(name('web:1'))}`),
      pod(name('job:1'), ', imagePullPolicy: Never').replace('name: p', 'name: q'),
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {script: "run alpine:3", other: "--tool=${name('tool')}"}\n`,
      `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: ${Buffer.from(name('short:1')).toString('base64')}}\n`,
    ].join('---\n');
    const used = all.filter((one) => one !== name('web:0'));
    const text = head + used.map((one) => listed(one)).join('') + component;
    const home = defined('any', text, manifest);
    expect(await unusedOf(home)).toEqual([]);
    // What proves a component may be older than the list of images.
    const few = head + listed(name('web:1')) + component;
    writeFileSync(join(home, 'solution.toml'), few);
    await succeeds(['pack', home, '-o', join(folder, 'any.iso')]);
    writeFileSync(join(home, 'solution.toml'), text);
    expect(await unusedOf(home)).toEqual([]);
  });

  test('are told of nothing where a node alone knows what is named, or nothing is there to name them', async () => {
    const late = '\n[[components]]\nname = "late"\nkind = "kustomize"\npath = "late"\nrender = "install"\n';
    const text = head + listed(name('web:1')) + listed(name('web:0')) + component;
    const home = defined('late', text + late, pod(name('web:1')));
    writeFiles(home, { 'late/kustomization.yaml': 'resources: []\n' });
    expect(await unusedOf(home)).toEqual([]);
    const operator = `operator = "${name('web:1')}"\n`;
    expect(await unusedOf(defined('operator', head + operator + text.slice(head.length), pod(name('web:1'))))).toEqual(
      [],
    );
    expect(await unusedOf(defined('alone', head + listed(name('web:0')), ''))).toEqual([]);
  });
});
