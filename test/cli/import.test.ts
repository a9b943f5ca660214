import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaLine } from '../../formats/document/schema-line.ts';
import {
  both,
  configurationIn,
  does,
  file,
  flat,
  head,
  places,
  refusal,
  told,
  two,
} from '../support/configurations.ts';
import { solpackHere } from '../support/here.ts';
import { judged, run, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const { archives, folder, place } = places('import');
const asked = `${schemaLine('configuration')}\n`;
const registry = dockerRegistry(scratch('import-registry'));

describe('import', () => {
  test('makes the folder of the configuration of a profile, and of no other', async () => {
    const cwd = place(undefined, both[0]!);
    const run = (...args: string[]) => solpackHere(['import', both[0]!, ...args], { cwd });
    writeFileSync(join(cwd, 'profile.toml'), 'configuration = "etc/own/solutions.yaml"\n');
    expect((await run('-f', 'etc/typo/solutions.yaml')).code).toBe(6);
    expect((await run('--profile', 'profile.toml')).code).toBe(0);
    expect(readFileSync(join(cwd, 'etc/own/solutions.yaml'), 'utf8')).toContain(both[0]);
  });

  test('makes a configuration of either form, and groups archives by their Solution', async () => {
    const cwd = place(undefined, ...both, 'other-1.0.0.iso');
    expect(await does(cwd, 'import', ...both, 'other-1.0.0.iso')).toEqual({
      schemaVersion: 1,
      configuration: join(cwd, 'solutions.yaml'),
      form: 'grouped',
      changed: true,
      created: true,
      archives: [
        { archive: both[0], name: 'guestbook', version: '1.0.0', action: 'imported', active: false },
        { archive: both[1], name: 'guestbook', version: '1.1.0', action: 'imported', active: true },
        { archive: 'other-1.0.0.iso', name: 'other', version: '1.0.0', action: 'imported', active: true },
      ],
    });
    expect(configurationIn(cwd)).toBe(`${asked}solutions:
  - name: guestbook
    archives:
      - guestbook-1.0.0.iso
      - guestbook-1.1.0.iso
  - name: other
    archives:
      - other-1.0.0.iso
`);
    const flatly = place(undefined, ...both);
    expect(await does(flatly, 'import', '--form', 'flat', ...both)).toMatchObject({ form: 'flat', created: true });
    expect(configurationIn(flatly)).toBe(`${asked}archives:\n  - guestbook-1.0.0.iso\n  - guestbook-1.1.0.iso\n`);
    expect(readdirSync(flatly).sort()).toEqual(['.solpack', ...both, 'solutions.yaml']);
  });

  test('writes paths below the folder of the configuration relative to it, and others as absolute ones', async () => {
    const cwd = place(two, ...both);
    mkdirSync(join(cwd, 'more'));
    copyFileSync(join(archives, 'other-1.0.0.iso'), join(cwd, 'more/it is.iso'));
    const outside = join(archives, 'guestbook-2.0.0-rc.1.iso');
    await does(cwd, 'import', join(cwd, 'more/it is.iso'), '../archives/guestbook-2.0.0-rc.1.iso');
    expect(configurationIn(cwd)).toBe(
      `${two}      - ${outside}\n  - name: other\n    archives:\n      - "more/it is.iso"\n`,
    );
  });

  test('writes nothing for what is listed already, whatever path leads to it, and tells it', async () => {
    const cwd = place(two, ...both);
    symlinkSync(cwd, join(folder, 'link'));
    const before = statSync(join(cwd, 'solutions.yaml'));
    for (const path of [both[0]!, join(folder, 'link', both[0]!)]) {
      expect(await does(cwd, 'import', path)).toMatchObject({
        changed: false,
        created: false,
        archives: [{ archive: both[0], action: 'present' }],
      });
    }
    expect(await told(cwd, 'import', both[0]!)).toContain('guestbook-1.0.0.iso: is in the configuration already');
    const after = statSync(join(cwd, 'solutions.yaml'));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  test('lists an archive once that is named twice, by whatever paths', async () => {
    const cwd = place(two, ...both, 'other-1.0.0.iso');
    symlinkSync('other-1.0.0.iso', join(cwd, 'other.iso'));
    const { archives: imported } = await does(cwd, 'import', 'other.iso', './other.iso', 'other-1.0.0.iso');
    expect(imported).toMatchObject([{ archive: 'other.iso', action: 'imported' }]);
    expect(configurationIn(cwd)).toBe(`${two}  - name: other\n    archives:\n      - other.iso\n`);
  });

  test('refuses an archive without a name, which is a variable that is not set, and takes no folder for it', async () => {
    const cwd = place(two, ...both, 'other-1.0.0.iso');
    expect(await refusal(cwd, 'import', '')).toContain('archives: one of them has no name');
  });

  test.each([two, flat])('refuses a version that another file has, and names both', async (text) => {
    const cwd = place(text, ...both);
    copyFileSync(join(cwd, both[0]!), join(cwd, 'copy.iso'));
    const listed = await refusal(cwd, 'import', 'copy.iso');
    expect(listed).toContain(`${join(cwd, 'copy.iso')}: holds guestbook 1.0.0, as does ${join(cwd, both[0]!)}; `);
    expect(listed).toContain('[version-conflict]');
    const fresh = place(undefined, both[0]!);
    copyFileSync(join(fresh, both[0]!), join(fresh, 'copy.iso'));
    expect(await refusal(fresh, 'import', both[0]!, 'copy.iso')).toContain('[version-conflict]');
  });

  test('lists no archive where one of several cannot be used', async () => {
    const cwd = place(two, ...both, 'other-1.0.0.iso');
    writeFileSync(join(cwd, 'text.iso'), 'no archive');
    writeFileSync(join(cwd, 'cut.iso'), readFileSync(join(cwd, both[0]!)).subarray(0, 70_000));
    for (const [path, said] of [
      ['absent.iso', 'no such file or folder; check the path [file-missing]'],
      ['text.iso', 'is neither ISO 9660 image nor OCI archive (tar); '],
      ['cut.iso', '[archive-damaged]'],
      ['.', 'cut.iso: '],
    ] as const) {
      expect(await refusal(cwd, 'import', 'other-1.0.0.iso', path)).toContain(said);
    }
  });

  judged('tells what an archive for MetalK8s, or of it, is', ['tar'], async () => {
    const cwd = place(two);
    const cases: [Record<string, string>, string][] = [
      [
        {
          'manifest.yaml': `${head.split('\n')[0]}\nkind: Solution\nmetadata: {name: example}\nspec: {version: 1.0.0}\n`,
        },
        'is not an archive of a Solution that solpack packed: it is the Solution example 1.0.0 for MetalK8s; ',
      ],
      [{ 'manifest.yaml': 'apiVersion: v1\nkind: Pod\n' }, 'its manifest.yaml is of the kind "Pod", not "Solution"'],
      [
        { 'manifest.yaml': 'apiVersion: solutions.metalk8s.scality.com/v2\nkind: Solution\n' },
        'its manifest.yaml is of the apiVersion "solutions.metalk8s.scality.com/v2", not "solutions.metalk8s',
      ],
      [{ 'product.txt': 'NAME=MetalK8s\nVERSION=2.5.0\n' }, 'it is MetalK8s 2.5.0'],
      [{ 'manifest.yaml': '{' }, 'it does not hold a Solution'],
      [{ 'readme.txt': 'hello' }, 'it does not hold a Solution'],
    ];
    for (const [at, [files, said]] of cases.entries()) {
      const source = join(folder, `foreign-${at}`);
      mkdirSync(source);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(source, name), text);
      await run('tar', ['--format=ustar', '-cf', join(cwd, 'foreign.tar'), '-C', source, ...Object.keys(files)]);
      const words = await refusal(cwd, 'import', 'foreign.tar');
      expect(words).toContain(said);
      expect(words).toContain('[archive-invalid]');
    }
  });

  test('makes one entry of a folder and of a pattern, and looks at every archive in it', async () => {
    const cwd = place(undefined, ...both, 'other-1.0.0.iso');
    const active = { name: 'guestbook', version: '1.1.0', active: true };
    const imported = await does(cwd, 'import', 'guestbook-1.?.0.iso', 'other-*.iso');
    expect(imported).toMatchObject({
      archives: [
        { archive: 'guestbook-1.?.0.iso', name: 'guestbook', version: '1.0.0', action: 'imported', active: false },
        { archive: 'guestbook-1.?.0.iso', ...active, action: 'imported' },
        { archive: 'other-*.iso', name: 'other', version: '1.0.0', action: 'imported', active: true },
      ],
    });
    expect(configurationIn(cwd)).toContain('- name: guestbook\n    archives:\n      - "guestbook-1.?.0.iso"\n');
    expect(await does(cwd, 'import', both[1]!)).toMatchObject({
      changed: false,
      archives: [{ archive: 'guestbook-1.?.0.iso', ...active, action: 'present' }],
    });
    expect(await does(cwd, 'activate', 'guestbook', '1.0.0')).toMatchObject({
      version: '1.0.0',
      archive: 'guestbook-1.?.0.iso',
      from: '1.1.0',
    });
    const below = place(undefined);
    mkdirSync(join(below, 'media'));
    linkSync(join(archives, both[0]!), join(below, 'media', both[0]!));
    expect(await does(below, 'import', '--form', 'flat', './media/')).toMatchObject({
      archives: [{ archive: 'media' }],
    });
    expect(configurationIn(below)).toBe(`${asked}archives:\n  - media\n`);
    rmSync(join(below, 'media'), { recursive: true });
    expect(await does(below, 'unimport', 'media')).toMatchObject({
      archives: [{ archive: 'media', action: 'removed' }],
    });
  });

  test('refuses a folder of several Solutions where an entry belongs to a group', async () => {
    const cwd = place(two, ...both, 'other-1.0.0.iso');
    const words = await refusal(cwd, 'import', '*.iso');
    expect(words).toContain('holds several Solutions (guestbook, other), but a group has one');
    expect(words).toContain('[usage-invalid]');
    const flatly = place(flat, ...both, 'other-1.0.0.iso');
    expect((await does(flatly, 'import', '*.iso'))['archives']).toHaveLength(3);
    mkdirSync(join(cwd, 'empty'));
    expect(await refusal(cwd, 'import', 'empty')).toContain('[file-missing]');
  });

  judged(
    'lists a Solution in a registry in its group, by the reference as it is given',
    ['docker-registry'],
    async () => {
      const { host } = await registry();
      const reference = `${host}/solutions/guestbook:1.0.0`;
      const cwd = place(two, both[1]!);
      const pushed = await solpackHere(['push', join(archives, both[0]!), reference], { cwd });
      expect([pushed.code, pushed.stderr]).toMatchObject([0, expect.anything()]);
      await does(cwd, 'unimport', both[0]!);
      expect(await does(cwd, 'import', `oci://${reference}`)).toMatchObject({
        archives: [{ archive: `oci://${reference}`, name: 'guestbook', version: '1.0.0', action: 'imported' }],
      });
      expect(configurationIn(cwd)).toContain(`      - "oci://${reference}"\n`);
      expect(await does(cwd, 'activate', 'guestbook', '1.0.0')).toMatchObject({ archive: `oci://${reference}` });
      expect(await refusal(cwd, 'import', `${host}/solutions/guestbook:9.9.9`)).toContain('[solution-absent]');
      await does(cwd, 'activate', 'guestbook', '1.1.0');
      expect(await does(cwd, 'unimport', `oci://${reference}`)).toMatchObject({
        archives: [{ archive: `oci://${reference}`, name: 'guestbook', version: '1.0.0', action: 'removed' }],
      });
    },
  );

  test('tells of a listed file that was overwritten by an archive of another Solution', async () => {
    const cwd = place(two, ...both);
    rmSync(join(cwd, both[1]!));
    linkSync(join(archives, 'other-1.0.0.iso'), join(cwd, both[1]!));
    const words = 'holds other 1.0.0, but is listed under guestbook: the file was overwritten after the import';
    expect(await refusal(cwd, 'import', both[1]!)).toContain(words);
    const { stderr } = await solpackHere(['install', ...file, '--insecure-skip-verify', '--render', 'out', '--quiet'], {
      cwd,
    });
    expect(stderr).toContain('holds the Solution other, but is listed under guestbook');
    expect(stderr).toContain('if the file was overwritten, unimport and import it again [configuration-invalid]');
    await does(cwd, 'unimport', both[1]!);
    await does(cwd, 'import', both[1]!);
    expect(configurationIn(cwd)).toContain('- name: other');
  });
});
