import { appendFileSync, chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { once } from '../../../../formats/bytes.ts';
import { type LockedComponent, parseLock } from '../../../../formats/solution/lock.ts';
import { changedComponent, lockedFiles } from '../../../../lib/flows/pack/locked-files.ts';
import type { CollectedFile } from '../../../../lib/parts/components/kind.ts';
import { writeFiles } from '../../../support/cli.ts';
import { packHere } from '../../../support/flow.ts';
import { judged, scratch } from '../../../support/judges.ts';

const folder = scratch('locked-files');
const charts = join(import.meta.dirname, '../../../../fixtures/charts');
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const definition = `name = "hello"
version = "1.0.0"
external-images = ["registry.example.com/guestbook/web:1.1.0"]

[[components]]
name = "web"
kind = "helm"
path = "charts/uses-library"
values = ["site.yaml"]

[[components]]
name = "settings"
kind = "manifests"
path = "settings"

[[components]]
name = "motd"
kind = "plugin"
path = "motd"
`;

/** A Solution of three components that was packed, in a folder of its own. */
async function packed(name: string): Promise<{ at: (path: string) => string; locked: () => Promise<unknown> }> {
  const at = (path: string): string => join(folder, name, path);
  for (const chart of ['library', 'uses-library'])
    cpSync(join(charts, chart), at(`charts/${chart}`), { recursive: true });
  const motd = '#!/bin/sh\necho\n';
  const files = { 'solution.toml': definition, 'site.yaml': 'replicas: 3\n', 'motd/plugin': motd };
  writeFiles(join(folder, name), {
    ...files,
    'settings/a.yaml': configMap,
    'settings/b.yaml': configMap.replace('a}', 'b}'),
  });
  chmodSync(at('motd/plugin'), 0o755);
  await packHere(at('solution.toml'), at('out.iso'));
  return { at, locked: () => packHere(at('solution.toml'), at('again.iso'), { lock: 'locked' }) };
}

describe('a lock', () => {
  judged('lists what the author has, by its path, also where it was packed into a chart', ['helm'], async () => {
    const { at } = await packed('lists');
    const { components } = parseLock(readFileSync(at('solution.lock')));
    expect(components.map(({ files }) => files!.map((line) => line.replace(/^[0-9a-f]{16}/, '#')))).toEqual([
      [
        '# charts/library/Chart.yaml',
        '# charts/library/templates/_deployment.tpl',
        '# charts/library/values.yaml',
        '# charts/uses-library/Chart.lock',
        '# charts/uses-library/Chart.yaml',
        '# charts/uses-library/templates/deployment.yaml',
        '# charts/uses-library/values.yaml',
        '# site.yaml',
      ],
      ['# settings/a.yaml', '# settings/b.yaml'],
      ['#+x motd/plugin'],
    ]);
  });

  const edits: readonly [string, (at: (path: string) => string) => void, string][] = [
    [
      'files of a chart, and of one that it needs',
      (at) => {
        appendFileSync(at('charts/uses-library/values.yaml'), 'more: 4\n');
        writeFileSync(at('charts/library/templates/_more.tpl'), '\n');
      },
      'component web: charts/uses-library/values.yaml changed, charts/library/templates/_more.tpl is new',
    ],
    [
      'a file of values, and one that is gone in another component',
      (at) => {
        writeFileSync(at('site.yaml'), 'replicas: 4\n');
        rmSync(at('settings/b.yaml'));
      },
      'component web: site.yaml changed; component settings: settings/b.yaml is gone',
    ],
    [
      'whether a file may be executed',
      (at) => {
        writeFileSync(at('motd/lib'), '');
        chmodSync(at('motd/plugin'), 0o711);
        chmodSync(at('settings/a.yaml'), 0o755);
      },
      'component settings: settings/a.yaml changed; component motd: motd/lib is new',
    ],
    [
      'a component that is new, and one that is there no more',
      (at) => writeFileSync(at('solution.toml'), definition.replace('"settings"\nkind', '"others"\nkind')),
      'component others is not in the lock; component settings is only in the lock',
    ],
    [
      'the date',
      (at) => writeFileSync(at('solution.toml'), `created = 2026-01-01T00:00:00Z\n${definition}`),
      'its date is 2026-01-01T00:00:00Z, but the lock has 1980-01-01T00:00:00Z',
    ],
    [
      'the definition',
      (at) => writeFileSync(at('solution.toml'), definition.replace('1.0.0', '1.0.1')),
      'solution.toml, or the release of solpack, has changed since it was packed',
    ],
  ];
  for (const [name, edit, message] of edits) {
    judged(`tells what is another one: ${name}; and advises what moves no image`, ['helm'], async () => {
      const { at, locked } = await packed(name);
      await locked();
      edit(at);
      const error = await locked().then(undefined, (reason) => reason);
      expect(error).toMatchObject({ code: 'lock-mismatch', subject: at('solution.lock') });
      expect(error.message).toContain(message);
      expect(error.hint).toContain('run "solpack pack" without --locked');
      expect(error.hint).not.toContain('--update');
      await packHere(at('solution.toml'), at('out.iso'));
      await locked();
    });
  }
});

describe('the files of a component', () => {
  const fileOf = (path: string, origin?: string): CollectedFile => {
    const bytes = Buffer.from(path);
    return { path, mode: 0o644, size: bytes.length, ...(origin ? { origin } : {}), open: () => once(bytes) };
  };

  test('are not listed where they are more than anybody reads', async () => {
    const files = Array.from({ length: 1001 }, (_, at) => fileOf(`f${at}`));
    expect(await lockedFiles(files, new Map(), '/srv')).toBe(undefined);
    expect(await lockedFiles(files.slice(1), new Map(), '/srv')).toHaveLength(1000);
  });

  test('have the same names on every machine, also those that lie elsewhere', async () => {
    const files = [fileOf('web-1.0.0.tgz', '/tmp/fetched-4711/x.tgz'), fileOf('values/0-a.yaml', '/srv/site/a.yaml')];
    const names = (await lockedFiles(files, new Map(), '/srv'))?.map((line) => line.slice(17));
    expect(names).toEqual(['site/a.yaml', 'web-1.0.0.tgz']);
  });
});

describe('a component that changed', () => {
  const component = (digit: string, files?: string[]): LockedComponent => ({
    name: 'web',
    kind: 'helm',
    digest: `sha256:${digit.repeat(64)}`,
    files,
  });

  test('has a few of its files named, and the number of the others', () => {
    const files = (digit: string) => Array.from({ length: 8 }, (_, at) => `${digit.repeat(16)} f${at}`);
    expect(changedComponent(component('1', files('1')), component('2', files('2')), 2)).toBe(
      'component web: f0 changed, f1 changed, and 6 more',
    );
  });

  test('is reported by its digest where the lock has no files, or the same ones', () => {
    const told = `component web is sha256:${'1'.repeat(64)}, but the lock has sha256:${'2'.repeat(64)}`;
    expect(changedComponent(component('1', ['a'.repeat(16)]), component('2'))).toBe(told);
    const same = [`${'a'.repeat(16)} x`];
    expect(changedComponent(component('1', same), component('2', same))).toBe(told);
    expect(changedComponent(component('1'), component('1'))).toBe(undefined);
  });
});
