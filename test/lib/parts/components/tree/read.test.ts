import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SolpackError } from '../../../../../lib/kernel/events/errors.ts';
import type { Event } from '../../../../../lib/kernel/events/events.ts';
import { isConventional } from '../../../../../lib/parts/components/tree/names.ts';
import { readTree } from '../../../../../lib/parts/components/tree/read.ts';
import { ok, scratch } from '../../../../support/judges.ts';
import { kustomization } from '../../../flows/load/support.ts';
import { type Planted, plant, plugin } from '../support.ts';

const folder = scratch('load-tree');
let count = 0;

const program = plugin('true');

/** Reads a tree, and keeps what was told of it. */
async function read(files: Readonly<Record<string, Planted>>) {
  const root = plant(join(folder, `${++count}/components.d`), files);
  const told: Record<string, string> = {};
  const onEvent = (event: Event): void => {
    if (event.type === 'notice') told[event.subject ?? ''] = event.message;
  };
  return { root, told, tree: await readTree(root, onEvent) };
}

async function refusal(files: Readonly<Record<string, Planted>>): Promise<unknown> {
  return read(files).catch((error: unknown) => error);
}

describe('a tree', () => {
  test('holds plugins and kustomizations of any of their names, in byte order', async () => {
    const { tree, told } = await read({
      '030-c/Kustomization': '',
      '010-a/kustomization.yaml': '',
      '020-b/kustomization.yml': '',
      '005-p/plugin': program,
      '040-q/plugin/kustomization.yaml': '',
      '040-q/kustomization.yaml': 'resources: [plugin]\n',
    });
    expect(tree.entries.map(({ root: _, ...rest }) => rest)).toEqual([
      { folder: '005-p', name: 'p', kind: 'plugin' },
      { folder: '010-a', name: 'a', kind: 'kustomize' },
      { folder: '020-b', name: 'b', kind: 'kustomize' },
      { folder: '030-c', name: 'c', kind: 'kustomize' },
      { folder: '040-q', name: 'q', kind: 'kustomize' },
    ]);
    expect([tree.skipped, told]).toEqual([[], {}]);
  });

  test('is ordered by bytes, not by numbers, and says so of names that are not as the convention has them', async () => {
    const names = ['1-a', '005-b', '05-c', '10-d', 'Z', 'f', '010-e', '1-ég'];
    const { tree, told } = await read(Object.fromEntries(names.map((name) => [`${name}/plugin`, program])));
    const sorted = (await ok('sort', [], { input: names.join('\n'), env: { LC_ALL: 'C' } })).trim().split('\n');
    expect(tree.entries.map((entry) => entry.folder)).toEqual(sorted);
    expect(told['05-c']).toBe(
      'has a name without a prefix as in 010-web; names are ordered byte by byte, so it comes after 010-e and before 1-a',
    );
    expect(Object.keys(told)).not.toContain('005-b');
  });

  test('says of a single component with another name that order does not matter', async () => {
    const { told } = await read({ 'web/plugin': program });
    expect(told['web']).toBe(
      'has a name without a prefix as in 010-web; names are ordered byte by byte, so it is the only one',
    );
  });

  test('takes the plugin of a folder that has both, and says so', async () => {
    const { tree, told } = await read({
      '010-a/plugin': program,
      '010-a/kustomization.yaml': '',
      '010-a/Kustomization': '',
    });
    expect(tree.entries).toMatchObject([{ kind: 'plugin' }]);
    expect(told['010-a']).toBe('is a plugin: its kustomization.yaml and Kustomization is not built separately');
  });

  test('leaves out what is not a component and says so, except of what is hidden', async () => {
    const { tree, told, root } = await read({
      'README.md': 'text',
      '010-empty/.keep': '',
      '.hidden/plugin': program,
      '.file': '',
      '.away': { link: '/etc' },
      '020-linked-file': { link: 'README.md' },
      ...kustomization('030-a', 'a'),
    });
    expect(tree.skipped).toEqual(['010-empty', '020-linked-file', 'README.md']);
    expect(told).toEqual({
      '010-empty': 'is skipped, because it holds neither a plugin nor a kustomization',
      '020-linked-file': 'is skipped, because it is not a folder',
      'README.md': 'is skipped, because it is not a folder',
    });
    const server = createServer().listen(join(root, 'socket'));
    await new Promise((settle) => server.once('listening', settle));
    const { skipped } = await readTree(root, () => undefined);
    server.close();
    expect(skipped).toContain('socket');
  });

  test('may be reached by a link, and hold links that stay in it', async () => {
    const { tree, root } = await read({
      '.store/web/kustomization.yaml': '',
      '010-web': { link: '.store/web' },
      '020-abs': { link: join(folder, `${count + 1}/components.d/.store/web`) },
    });
    expect(tree.entries.map((entry) => entry.kind)).toEqual(['kustomize', 'kustomize']);
    plant(join(folder, 'links'), { tree: { link: root } });
    expect(await readTree(join(folder, 'links/tree'), () => undefined)).toEqual(tree);
  });

  test.each<[string, Record<string, Planted>, string, string, string]>([
    ['a link out of it', { '010-a': { link: '../../..' } }, 'path-escapes', '010-a', 'is a symbolic link out of'],
    ['a link to /etc', { '010-a': { link: '/etc' } }, 'path-escapes', '010-a', 'to /etc'],
    ['a link to nothing', { '010-a': { link: 'none' } }, 'component-invalid', '010-a', 'leads to nothing'],
    ['a link to itself', { '010-a': { link: '010-a' } }, 'component-invalid', '010-a', 'leads to nothing'],
    [
      'a folder with two kustomizations',
      { '010-a/kustomization.yaml': '', '010-a/kustomization.yml': '' },
      'component-invalid',
      '010-a',
      'holds kustomization.yaml and kustomization.yml',
    ],
    [
      'two folders of one component',
      { '010-web/plugin': program, '020-web/kustomization.yaml': '' },
      'component-invalid',
      '020-web',
      'is component web, and so is 010-web',
    ],
    [
      'two folders whose numbers differ in their digits alone',
      { '005-web/plugin': program, '05-web/plugin': program },
      'component-invalid',
      '05-web',
      'is component web, and so is 005-web',
    ],
    ['a folder without a name', { '___/plugin': program }, 'component-invalid', '___', 'a name without any part'],
  ])('with %s is refused', async (_, files, code, subject, message) => {
    expect(await refusal(files)).toMatchObject({
      code,
      subject: expect.stringMatching(new RegExp(`${subject}$`)),
      message: expect.stringContaining(message),
      hint: expect.any(String),
    });
  });

  test('whose folder is not there, or is a file, or holds a name that is not UTF-8, is refused', async () => {
    const quiet = (): void => undefined;
    await expect(readTree(join(folder, 'absent'), quiet)).rejects.toMatchObject({ code: 'file-missing' });
    plant(folder, { file: 'text' });
    await expect(readTree(join(folder, 'file'), quiet)).rejects.toMatchObject({
      code: 'file-unreadable',
      message: 'is not a folder',
    });
    const root = plant(join(folder, 'latin'), {});
    writeFileSync(Buffer.concat([Buffer.from(`${root}/010-`), Buffer.of(0xe9)]), '');
    await expect(readTree(root, quiet)).rejects.toMatchObject({
      code: 'component-invalid',
      message: 'has a name that is not UTF-8',
    });
  });
});

test('of any names, a tree is read in byte order, each component once, or two are told apart', async () => {
  const root = join(folder, 'any');
  const character = fc.constantFrom(...'0159-_.aZé ~');
  const word = fc
    .string({ unit: character, minLength: 1, maxLength: 6 })
    .filter((name) => name !== '.' && name !== '..');
  const number = fc.constantFrom('005-', '05-', '1-', '010-', '100-', '');
  const name = fc.tuple(number, word).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 8 }), async (names) => {
      rmSync(root, { recursive: true, force: true });
      for (const one of names) mkdirSync(join(root, one, 'empty'), { recursive: true });
      for (const one of names) writeFileSync(join(root, one, 'kustomization.yaml'), '');
      mkdirSync(root, { recursive: true });
      const told = new Set<string | undefined>();
      const found = await readTree(root, (event) => event.type === 'notice' && told.add(event.subject)).catch(
        (error: unknown) => error,
      );
      if (found instanceof SolpackError) {
        expect(found.message).toMatch(/^(?:is component [a-z0-9-]+, and so is |has a name without any part)/);
        return;
      }
      const { entries, skipped } = found as Awaited<ReturnType<typeof readTree>>;
      const visible = names.filter((one) => !one.startsWith('.'));
      const bytes = visible.map((one) => Buffer.from(one)).sort(Buffer.compare);
      expect(entries.map((entry) => entry.folder)).toEqual(bytes.map(String));
      expect(new Set(entries.map((entry) => entry.name)).size).toBe(entries.length);
      expect(skipped).toEqual([]);
      expect([...told].sort()).toEqual(visible.filter((one) => !isConventional(one)).sort());
    }),
    { numRuns: 150 },
  );
});
