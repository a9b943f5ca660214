import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { definitionGraph } from './support/architecture/imports.ts';
import { breaches } from './support/architecture/walls.ts';

const root = dirname(import.meta.dirname);
const paths = globSync('lib/**/*.ts', { cwd: root }).sort();
const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

describe('a room of lib', () => {
  test('is entered by its door alone', () => {
    expect(sources.size).toBeGreaterThan(500);
    expect(breaches(sources)).toEqual([]);
  });

  test('says at its door what it is for', () => {
    const doors = [...sources].filter(([path, source]) => /^lib\/.+\/index\.ts$/.test(path) && isListOfNames(source));
    expect(doors.length).toBeGreaterThan(30);
    expect(doors.filter(([, source]) => !/^\/\*\* [A-Z]/.test(source)).map(([path]) => path)).toEqual([]);
  });
});

describe('the checks of the doors find', () => {
  test.each([
    ['lib/flows/pack/x.ts', "import { a } from '../../kernel/files/paths.ts';", 'lib/kernel/files'],
    ['lib/flows/pack/x.ts', "import type { A } from '../../parts/clusters/server/api.ts';", 'lib/parts/clusters'],
    ['lib/parts/clusters/x.ts', "export { a } from './server/client/http.ts';", 'lib/parts/clusters/server'],
    ['lib/shared/solutions/sets/x.ts', "import { a } from '../media/open.ts';", 'lib/shared/solutions/media'],
    ['lib/types.ts', "export type { A } from './flows/pack/closure.ts';", 'lib/flows/pack'],
  ])('a way around the door of a room, from %s', (path, source, room) => {
    expect(breaches(new Map([[path, source]])).join()).toContain(`is behind the door of ${room}`);
  });

  test.each([
    ['lib/flows/pack/x.ts', "import { a } from '../../kernel/files/index.ts'; import { b } from '../verify/index.ts';"],
    ['lib/parts/clusters/server/client/x.ts', "import { a } from '../api.ts'; import { b } from '../../kind.ts';"],
    ['lib/flows/pack/x.ts', "const { a } = await import('../../kernel/files/paths.ts');"],
    ['lib/index.ts', "export { a } from './kernel/events/errors.ts';"],
  ])('a door, a file of an own room, and what waits until it is needed are none, from %s', (path, source) => {
    expect(breaches(new Map([[path, source]]))).toEqual([]);
  });

  test('the way from a file through doors to the file that defines a name', () => {
    const files = new Map([
      ['lib/a.ts', "import { d } from './b/index.ts'; import { e } from './b/index.ts';"],
      ['lib/b/index.ts', "export { d } from './c/index.ts'; export const e = 1;"],
      ['lib/b/c/index.ts', "export { d } from './d.ts'; import { f } from '../f.ts';"],
      ['lib/b/c/d.ts', "import { f } from '../f.ts';"],
      ['lib/b/f.ts', ''],
    ]);
    expect([...definitionGraph(files)].map(([path, targets]) => [path, ...targets])).toEqual([
      ['lib/a.ts', 'lib/b/c/d.ts', 'lib/b/index.ts'],
      ['lib/b/index.ts'],
      ['lib/b/c/index.ts', 'lib/b/f.ts'],
      ['lib/b/c/d.ts', 'lib/b/f.ts'],
      ['lib/b/f.ts'],
    ]);
  });
});

/** Whether a door only passes names on, so that no function says what the room does. */
function isListOfNames(source: string): boolean {
  return !/^(?:export )?(?:async )?function/m.test(source);
}
