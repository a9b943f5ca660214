import { describe, expect, test } from 'vitest';
import { readPlainBundle } from '../../../formats/bundle/plain.ts';
import { FormatError } from '../../../formats/error.ts';
import { bundleFiles } from '../../support/operator-bundles.ts';

// What RukPak 0.24.0 (`plain.HandleBundleDeployment`) makes of bundles of these shapes stands beside each: the number
// of objects, or its words.

const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const json = (name: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const list = (items: string): string => `apiVersion: v1\nkind: List\nitems: ${items}\n`;
const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.example.com}
spec: {group: example.com, names: {kind: A, plural: as}, scope: Namespaced, versions: []}
`;

type Shape = readonly [name: string, files: Readonly<Record<string, string>>, there: number | string];

const same: readonly Shape[] = [
  ['one object', { 'manifests/a.yaml': map('a') }, 1],
  [
    'several documents, and some without content',
    { 'manifests/a.yaml': `${map('a')}---\n${map('b')}---\n# c\n---\n` },
    2,
  ],
  ['a list', { 'manifests/a.yaml': list(`[${json('a')}, ${json('b')}]`) }, 2],
  ['a list of one kind', { 'manifests/a.yaml': list(`[${json('a')}]`).replace('List', 'ConfigMapList') }, 1],
  ['JSON', { 'manifests/a.json': json('a') }, 1],
  ['any extension, and none', { 'manifests/a.txt': map('a'), 'manifests/README': map('b') }, 2],
  ['an empty file', { 'manifests/a.yaml': map('a'), 'manifests/.keep': '' }, 1],
  ['a byte order mark', { 'manifests/a.yaml': `\u{feff}${map('a')}` }, 1],
  ['lines that end as on Windows', { 'manifests/a.yaml': `${map('a')}---\n${map('b')}`.replaceAll('\n', '\r\n') }, 2],
  ['one object twice', { 'manifests/a.yaml': map('a'), 'manifests/b.yaml': map('a') }, 2],
  ['text in quotes at the indentation of its key', { 'manifests/a.yaml': `${map('a')}data:\n  a: 'b\n  c'\n` }, 1],
  ['a definition and an object of it', { 'manifests/a.yaml': `${definition}---\n${map('a')}` }, 2],
  ['files beside manifests', { 'manifests/a.yaml': map('a'), 'other/b.yaml': 'a: [', 'c.yaml': 'a: [' }, 1],
  ['no folder manifests', { 'a.yaml': map('a') }, 'open manifests: no such file or directory'],
  ['a file named manifests', { manifests: map('a') }, 'open manifests: not a directory'],
  ['no content', { 'manifests/a.yaml': '# a\n---\n' }, 'found zero objects'],
  ['null', { 'manifests/a.yaml': 'null\n' }, 'found zero objects'],
  ['an empty list', { 'manifests/a.yaml': list('[]') }, 'found zero objects'],
  ['a folder', { 'manifests/a.yaml': map('a'), 'manifests/x/b.yaml': map('b') }, 'subdirectories are not allowed'],
  ['a file that is no YAML', { 'manifests/a.yaml': 'a: [\n' }, 'did not find expected node content'],
  ['tabs', { 'manifests/a.yaml': 'a:\n\tb: 1\n' }, 'found character that cannot start any token'],
  [
    'a file that is not a manifest',
    { 'manifests/a.yaml': map('a'), 'manifests/.gitignore': 'dist\n' },
    'cannot unmarshal',
  ],
  ['no kind', { 'manifests/a.yaml': map('a').replace('kind: ConfigMap\n', '') }, "Object 'Kind' is missing"],
  ['an item without version', { 'manifests/a.yaml': list('[{kind: ConfigMap}]') }, "Object 'apiVersion' is missing"],
];

/** What RukPak reads, and what an API server, or this project's rule for manifests, refuses. */
const stricter: readonly Shape[] = [
  ['no name', { 'manifests/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: a}\n' }, 1],
  ['a name that is made', { 'manifests/a.yaml': map('a').replace('name', 'generateName') }, 1],
  ['no version', { 'manifests/a.yaml': map('a').replace('apiVersion: v1\n', '') }, 1],
  ['a key that is there twice', { 'manifests/a.yaml': `${map('a')}metadata: {name: b}\n` }, 1],
];

function outcome(files: Readonly<Record<string, string>>): number | string {
  try {
    return readPlainBundle(bundleFiles(files)).length;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

describe('a plain+v0 bundle', () => {
  test.each(same)('with %s is taken as RukPak takes it, or refused as RukPak does', (_, files, there) => {
    const here = outcome(files);
    expect(typeof here).toBe(typeof there);
    if (typeof there === 'number') expect(here).toBe(there);
    else expect(here).not.toBe('');
  });

  test.each(stricter)('with %s is refused here already', (_, files) => {
    expect(outcome(files)).toMatch(/metadata\.name|apiVersion|twice/);
  });
});
