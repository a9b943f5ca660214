import { describe, expect, test } from 'vitest';
import { type InstallWords, installView } from '../../../cli/view/install.ts';
import { styleFor } from '../../../cli/view/style.ts';
import type { InstallResult } from '../../../lib/flows/install/index.ts';
import type { Action } from '../../../lib/parts/clusters/index.ts';
import { silentSink } from '../../support/sinks.ts';

const style = styleFor(silentSink, {});

const objects = (...actions: Action[]): InstallResult['solutions'][number]['objects'] =>
  actions.map((action, index) => ({ object: `ConfigMap ns/${index}`, action, component: 'web' }));

function shown(
  actions: readonly Action[],
  more: Partial<InstallResult> = {},
  words: Partial<InstallWords> = {},
): string[] {
  const solution = {
    name: 'app',
    version: '1.0.0',
    archive: '/app.iso',
    root: 'sha256:0' as const,
    signers: [],
    downgraded: false,
    applied: [],
    images: [],
    objects: objects(...actions),
  };
  const transfer = { registry: 'http://r', moved: 0, movedBytes: 0, present: 0, movedTags: [] };
  const rest = { removed: [], images: [], variables: [], mirrors: [], ...transfer };
  return installView({ trust: 'keys', solutions: [solution], ...rest, ...more }, style, { lists: false, ...words });
}

describe('what an install shows', () => {
  test('counts what became of objects, and lists those that were not left as they are', () => {
    const lines = shown(['created', 'unchanged', 'changed', 'created', 'removed', 'kept', 'replaced']);
    expect(lines[0]).toBe('installed app 1.0.0  2 created, 1 changed, 1 replaced, 1 unchanged, 1 removed, 1 kept');
    const listed = lines.filter((line) => line.includes('ConfigMap')).map((line) => line.trim().split(/\s+/)[0]);
    expect(listed).toEqual(['created', 'changed', 'created', 'removed', 'kept', 'replaced']);
  });

  test('names the tags that stood for something else', () => {
    const movedTags = [{ tag: 'r/app:1', from: 'sha256:a', to: 'sha256:b' }] as const;
    expect(shown([], { movedTags }).at(-1)).toBe('moved r/app:1  from sha256:a to sha256:b');
  });

  test('says of objects in files that they are rendered, and of a registry that ended that no node can pull', () => {
    const images = [{ reference: 'r.example.com/a:1', target: 'r/a:1' }];
    const lines = shown([], { images }, { isRendered: true, isGone: true });
    expect(lines[0]).toBe('rendered app 1.0.0');
    expect(lines.at(-1)).toMatch(
      /^1 image nowhere: no way for them was given, so no node can pull them; --all lists it$/,
    );
    expect(lines.join('\n')).not.toContain('http://r');
  });

  test('says where nothing changed', () => {
    const lines = shown(['unchanged', 'unchanged']);
    expect(lines[0]).toBe('already there app 1.0.0  nothing changed, 2 objects');
    expect(lines.join('\n')).not.toContain('ConfigMap');
  });

  test('does not speak of objects where no cluster was asked', () => {
    expect(shown([])[0]).toBe('installed app 1.0.0');
  });

  test('names the Solutions that were removed, and the mirrors that were written', () => {
    const removed = [{ name: 'old', version: '2.0.0', files: [], objects: objects('removed', 'kept') }];
    const lines = shown([], { solutions: [], removed, mirrors: ['/certs.d/a/hosts.toml'] });
    expect(lines).toEqual([
      'removed old 2.0.0  1 removed, 1 kept',
      '  removed  ConfigMap ns/0',
      '  kept     ConfigMap ns/1',
      'no Solution is active: nothing was installed',
      'mirrored /certs.d/a/hosts.toml',
    ]);
  });
});
