import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { keepRepairing } from '../../../../../lib/flows/repair/index.ts';
import { writeFiles } from '../../../../support/cli.ts';
import { packHere, testFlow } from '../../../../support/flow.ts';
import { InstallSite } from '../../../../support/install-site.ts';
import { scratch } from '../../../../support/judges.ts';

/** Each run of an install has some hundred events, of which each fifth is tried. */
const STEP = 5;

const folder = scratch('other-media');
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  for (const one of ['shop', 'newer', 'blog', 'empty']) mkdirSync(at(one));
  for (const [name, version, place] of [
    ['shop', '1.0.0', 'shop'],
    ['shop', '1.1.0', 'newer'],
    ['blog', '1.0.0', 'blog'],
  ] as const) {
    const map = `metadata: {name: ${name === 'shop' ? 'web' : name}, namespace: default}`;
    writeFiles(at(`${name}-${version}`), {
      'solution.toml': `name = "${name}"\nversion = "${version}"\n[[components]]\nname = "web"\nkind = "manifests"\npath = "map.yaml"\n`,
      'map.yaml': `apiVersion: v1\nkind: ConfigMap\n${map}\ndata: {version: "${version}"}\n`,
    });
    await packHere(at(`${name}-${version}/solution.toml`), at(`${place}/${name}.iso`));
  }
});

/** Puts another medium in: a link is replaced at once, as a mount is. */
function mount(medium: string): void {
  rmSync(at('next'), { force: true });
  symlinkSync(medium, at('next'));
  renameSync(at('next'), at('stick'));
}

const grouped = 'solutions: [{name: shop, archives: [stick]}]\n';
const flat = 'archives: [stick]\nactive: {shop: latest}\n';
const both = 'archives: [stick]\nactive: {shop: latest, blog: latest}\n';

describe('a medium of the same name with another Solution in it', () => {
  test.each([
    ['grouped', grouped, 'configuration-invalid'],
    ['flat', flat, 'version-absent'],
    ['flat, with the other one active too', both, 'version-absent'],
  ])('ends the install, and removes nothing: %s', async (_, document, code) => {
    const site = new InstallSite(folder);
    mount('shop');
    expect(await site.installs(document === both ? flat : document)).toBeUndefined();
    mount('blog');
    for (const work of ['plan', 'run'] as const) {
      expect(await site.installs(document, work)).toMatchObject({ code });
      expect(site.versions()).toEqual({ default: '1.0.0' });
    }
  });
});

describe('a medium that is pulled or changed during an install', () => {
  test.each(['empty', 'blog', 'not-there'])('loses nothing, whenever that is: %s comes instead', async (medium) => {
    const ends = new Set<string>();
    let last = false;
    for (let pulled = 0; !last; pulled += STEP) {
      const site = new InstallSite(folder);
      mount('shop');
      expect(await site.installs(grouped)).toBeUndefined();
      mount('newer');
      let events = 0;
      const onEvent = (): void => {
        if (events === pulled) mount(medium);
        events += 1;
      };
      const error = await site.installs(grouped, 'run', {}, { ...testFlow(), onEvent });
      last = events <= pulled;
      ends.add(error?.code ?? 'installed');
      expect(['1.0.0', '1.1.0']).toContain(site.versions()['default']);
      if (error === undefined) expect(site.versions()).toEqual({ default: '1.1.0' });
      mount(medium);
      expect((await site.installs(grouped))?.code).toBeDefined();
      expect(['1.0.0', '1.1.0']).toContain(site.versions()['default']);
    }
    expect(ends).toContain('installed');
  });
});

test('repairs put back what is installed, whatever the medium holds by then', async () => {
  const site = new InstallSite(folder);
  mount('shop');
  expect(await site.installs(grouped)).toBeUndefined();
  mount('empty');
  const end = new AbortController();
  const api = site.memory.connect();
  await api.remove(
    { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'web' } as never,
    {} as never,
    end.signal,
  );
  expect(site.versions()).toEqual({});
  const repairing = keepRepairing({ cluster: site.target() }, 10, { ...testFlow(), signal: end.signal }, () => {
    end.abort(new Error('it was put back'));
  });
  await expect(repairing).rejects.toThrow('it was put back');
  expect(site.versions()).toEqual({ default: '1.0.0' });
});
