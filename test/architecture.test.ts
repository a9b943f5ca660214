import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clockUses } from './support/architecture/clocks.ts';
import { parsed, type Sources } from './support/architecture/code.ts';
import { undocumented } from './support/architecture/exports.ts';
import { circles, longestChain } from './support/architecture/graph.ts';
import { definitionGraph, importGraph, packagesWith } from './support/architecture/imports.ts';
import { wrongImports } from './support/architecture/layers.ts';
import { declaredTwice } from './support/architecture/names.ts';
import { roomCircles } from './support/architecture/rooms.ts';
import { functionsOf, linesOf, longFunctions } from './support/architecture/sizes.ts';
import { ambientUses, leftOut, usingDeclarations } from './support/architecture/uses.ts';
import { writesElsewhere } from './support/architecture/writers.ts';

const root = dirname(import.meta.dirname);

function read(...patterns: string[]): Sources {
  const paths = globSync(patterns, { cwd: root }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

const product = read('cli/**/*.ts', 'lib/**/*.ts', 'formats/**/*.ts');
const withScripts = new Map([...product, ...read('scripts/*.ts', 'scripts/!(runtime)/**/*.ts')]);
const everything = new Map([...withScripts, ...read('test/**/*.ts')]);

describe('the house', () => {
  test('formats know no one, lib knows formats, cli knows lib, and inside lib flows know parts know the kernel', () => {
    expect(product.size).toBeGreaterThan(0);
    expect(wrongImports(product)).toEqual([]);
  });

  test('no files import each other in a circle, also types', () => {
    expect(circles(importGraph(everything, { types: true }))).toEqual([]);
  });

  test('no folders import each other in a circle, nor a folder and a file beside it, also types', () => {
    expect(roomCircles(importGraph(withScripts, { types: true }))).toEqual([]);
  });

  test('a change passes through fewer than 31 files, also by types', () => {
    const chain = longestChain(definitionGraph(product));
    expect(chain.length, `the longest chain of imports:\n${chain.join('\n')}`).toBeLessThan(31);
  });

  test('no test knows the time, but where it says why', () => {
    expect(clockUses(read('test/**/*.ts'))).toEqual([]);
  });

  test('no command waits for a package of another: the door of lib brings none along', () => {
    expect(packagesWith('lib/index.ts', product)).toEqual([]);
    expect(packagesWith('lib/command.ts', product)).toEqual([]);
  });

  test('only cli touches the environment and the terminal', () => {
    expect(ambientUses(product)).toEqual([]);
  });

  test('no file has more than 400 lines', () => {
    const long = [...everything].filter(([, source]) => linesOf(source) > 400).map(([path]) => path);
    expect(long).toEqual([]);
  });

  test('no function has more than 80 lines', () => {
    expect(longFunctions(product, 80)).toEqual([]);
  });

  test('every export of a door has a docstring', () => {
    const doors = ['lib/index.ts', 'lib/parts.ts', 'lib/command.ts'];
    expect(doors.flatMap((door) => undocumented(product, door))).toEqual([]);
  });

  test('no two files export something of the same name', () => {
    expect(declaredTwice(product)).toEqual([]);
  });

  test('nothing is opened for writing by its path but where no link of others is followed', () => {
    expect(writesElsewhere(product)).toEqual([]);
  });

  test('no source has a using declaration, which Node.js 22 cannot parse', () => {
    expect(usingDeclarations(product)).toEqual([]);
  });

  test('no test is left out by its author', () => {
    expect(leftOut(everything)).toEqual([]);
  });
});

describe('the checks find what is planted', () => {
  test.each([
    "file = openSync(to, 'a', 0o600);",
    'const handle = await fs.open(path, constants.O_WRONLY | constants.O_CREAT);',
    'await fs.writeFile(path, text);',
    'createWriteStream(path)',
  ])('a file that is opened for writing elsewhere: %s', (line) => {
    expect(writesElsewhere(new Map([['cli/x.ts', line]]))).toEqual([`cli/x.ts:1: ${line}`]);
    expect(writesElsewhere(new Map([['cli/x.ts', "await fs.open(path, 'r')"]]))).toEqual([]);
  });

  test.each([
    ['formats may not import kernel', 'formats/x.ts', "import { a } from '../lib/kernel/a.ts';"],
    ['formats may not import kernel', 'formats/x.ts', "import type { A } from '../lib/kernel/a.ts';"],
    ['formats may not use node:fs/promises', 'formats/x.ts', "import { readFile } from 'node:fs/promises';"],
    ['formats may not use fs', 'formats/x.ts', "import fs from 'fs';"],
    ['node:http is had from lib/kernel/http/node.ts', 'lib/kernel/x.ts', "import { request } from 'node:http';"],
    ['zod is had from formats/schema.ts', 'formats/x.ts', "import { z } from 'zod';"],
    ['formats may not import cli', 'formats/tar/x.ts', "export { a } from '../../cli/a.ts';"],
    ['kernel may not import part', 'lib/kernel/x.ts', "import {\n  a,\n  b,\n} from '../parts/trust/index.ts';"],
    ['kernel may not import flow', 'lib/kernel/x.ts', "const a = await import('../flows/pack/index.ts');"],
    ['kernel may not import library', 'lib/kernel/x.ts', "import '../index.ts';"],
    ['lib/cellar may not import kernel', 'lib/cellar/x.ts', "import { a } from '../kernel/a.ts';"],
    [
      'part trust may not import its sibling archives',
      'lib/parts/trust/x.ts',
      "import { a } from '../archives/index.ts';",
    ],
    ['part may not import flow', 'lib/parts/images/x.ts', "export * from '../../flows/pack/index.ts';"],
    [
      'shared may not import flow',
      'lib/shared/solutions/x.ts',
      "import { verify } from '../../flows/verify/index.ts';",
    ],
    ['flow verify may not import flow install', 'lib/flows/verify/x.ts', "import { a } from '../install/index.ts';"],
    ['flow serve may not import flow install', 'lib/flows/serve/x.ts', "import type { A } from '../install/index.ts';"],
    ['flow brew has no place in the order of flows', 'lib/flows/brew/x.ts', "import { a } from '../pack/index.ts';"],
    ['flow may not import cli', 'lib/flows/pack/x.ts', "import { a } from '../../../cli/a.ts';"],
    ['library may not import scripts', 'lib/index.ts', "import { a } from '../scripts/a.ts';"],
    ['cli may not import formats', 'cli/x.ts', "import type { Digest } from '../formats/digest.ts';"],
    ['cli may not import kernel', 'cli/x.ts', "import { SolpackError } from '../lib/kernel/events/errors.ts';"],
    ['cli may not import door of parts', 'cli/x.ts', "import { loadPolicy } from '../lib/parts.ts';"],
    ['cli may not import types', 'cli/x.ts', "import type { Flow } from '../lib/types.ts';"],
    ['cli may not import part', 'cli/x.ts', "import type { Trust } from '../lib/parts/trust/index.ts';"],
    ['cli may not import shared', 'cli/x.ts', "export { a } from '../lib/shared/solutions/a.ts';"],
    ['cli may not import flow', 'cli/x.ts', "const { pack } = await import('../lib/flows/pack/index.ts');"],
  ])('%s (%s)', (reason, path, source) => {
    expect(wrongImports(new Map([[path, source]])).join()).toContain(reason);
  });

  test.each([
    [
      'formats may use parsers',
      'formats/x.ts',
      "import { createHash } from 'node:crypto';\nimport { parse } from 'yaml';",
    ],
    [
      'a part may use itself, the kernel and Node',
      'lib/parts/trust/x.ts',
      "import './keys.ts';\nimport '../../kernel/events/errors.ts';\nimport 'node:fs';",
    ],
    [
      'a flow may use parts, what flows share, and flows before it',
      'lib/flows/install/x.ts',
      "import '../../parts/trust/index.ts';\nimport '../../shared/solutions/choose.ts';\nimport '../verify/index.ts';",
    ],
    [
      'cli may use the door of lib, and itself',
      'cli/x.ts',
      "import { type Flow, pack } from '../lib/index.ts';\nimport './io.ts';",
    ],
    ['words are no imports', 'formats/x.ts', "/**\n * Taken from '../lib/kernel/a.ts'.\n */\nexport const a = 1;"],
  ])('%s', (_, path, source) => {
    expect(wrongImports(new Map([[path, source]]))).toEqual([]);
  });

  test.each([
    ['by value', "import { b } from './b.ts';", "import { a } from './a.ts';"],
    ['by type', "import type { B } from './b.ts';", "import type { A } from './a.ts';"],
    ['by value there and by type back', "import { b } from './b.ts';", "export type { A } from './a.ts';"],
    ['by a type inside of a declaration', "import { b } from './b.ts';", "export const a: import('./a.ts').A = 1;"],
    ['at run time', "import { b } from './b.ts';", "export const a = await import('./a.ts');"],
    ['by a re-export', "export * from './b.ts';", "import './a.ts';"],
    ['of all names as one', "import * as b from './b.ts';", "export * as a from './a.ts';"],
  ])('a circle of files %s', (_, a, b) => {
    const sources = new Map([
      ['lib/a.ts', a],
      ['lib/b.ts', b],
    ]);
    expect(circles(importGraph(sources, { types: true }))).toEqual(['lib/a.ts -> lib/b.ts -> lib/a.ts']);
  });

  test('a package that comes along with what an entry imports, unless that is a type or is imported when it is needed', () => {
    const sources = new Map([
      ['lib/index.ts', "export { a } from './a.ts'; export const b = () => import('./b.ts');"],
      ['lib/a.ts', "import { join } from 'node:path'; import 'yaml'; import type { c } from 'semver';"],
      ['lib/b.ts', "import 'zod';"],
    ]);
    expect(packagesWith('lib/index.ts', sources)).toEqual(['yaml']);
  });

  test('a circle of three files, which is none where a type closes it and types do not count', () => {
    const circle = (word: string): Sources =>
      new Map([
        ['lib/a.ts', "import { b } from './b.ts';"],
        ['lib/b.ts', "import { c } from './c.ts';"],
        ['lib/c.ts', `import ${word} { a } from './a.ts';`],
      ]);
    const whole = ['lib/a.ts -> lib/b.ts -> lib/c.ts -> lib/a.ts'];
    expect(circles(importGraph(circle(''), { types: false }))).toEqual(whole);
    expect(circles(importGraph(circle('type'), { types: true }))).toEqual(whole);
    expect(circles(importGraph(circle('type'), { types: false }))).toEqual([]);
  });

  test.each([
    [
      'parts',
      ['lib/parts/trust/a.ts', '../sbom/b.ts'],
      ['lib/parts/sbom/c.ts', '../trust/d.ts'],
      'lib/parts/trust/ -> lib/parts/sbom/',
    ],
    [
      'flows',
      ['lib/flows/pack/a.ts', '../pull/b.ts'],
      ['lib/flows/pull/c.ts', '../pack/d.ts'],
      'lib/flows/pack/ -> lib/flows/pull/',
    ],
    [
      'the kernel',
      ['lib/kernel/http/a.ts', '../content/copy.ts'],
      ['lib/kernel/content/copy.ts', '../http/b.ts'],
      'lib/kernel/http/ -> lib/kernel/content/',
    ],
    [
      'formats',
      ['formats/tar/a.ts', '../oci/b.ts'],
      ['formats/oci/c.ts', '../tar/d.ts'],
      'formats/tar/ -> formats/oci/',
    ],
    ['cli', ['cli/view/a.ts', '../commands/b.ts'], ['cli/commands/c.ts', '../view/d.ts'], 'cli/view/ -> cli/commands/'],
    ['scripts', ['scripts/a/b.ts', '../c/d.ts'], ['scripts/c/e.ts', '../a/f.ts'], 'scripts/a/ -> scripts/c/'],
    [
      'a room of a part and a file beside it',
      ['lib/parts/clusters/x/a/b.ts', '../c.ts'],
      ['lib/parts/clusters/x/c.ts', './a/d.ts'],
      'lib/parts/clusters/x/a/ -> lib/parts/clusters/x/c.ts',
    ],
  ])('a circle between rooms of files that are in none (%s)', (_, [from, to], [back, home], circle) => {
    for (const word of ['', 'type ']) {
      const sources = new Map([
        [from!, `import ${word}{ a } from '${to}';`],
        [back!, `import ${word}{ b } from '${home}';`],
        ...[posix.join(from!, '..', to!), posix.join(back!, '..', home!)].flatMap((path) =>
          path === from || path === back ? [] : [[path, ''] as const],
        ),
      ]);
      const graph = importGraph(sources, { types: true });
      expect(circles(graph)).toEqual([]);
      expect(roomCircles(graph).join()).toContain(circle);
    }
  });

  test('members of a folder may share what lies beside the index that lists them', () => {
    const sources = new Map([
      ['lib/parts/images/index.ts', "import { oci } from './oci/index.ts';\nexport type { Kind } from './kind.ts';"],
      ['lib/parts/images/oci/index.ts', "import type { Kind } from '../kind.ts';"],
      ['lib/parts/images/kind.ts', ''],
    ]);
    expect(roomCircles(importGraph(sources, { types: true }))).toEqual([]);
  });

  test('the longest chain is found, whichever way is shorter', () => {
    const sources = new Map([
      ['lib/a.ts', "import './d.ts';\nimport type { B } from './b.ts';"],
      ['lib/b.ts', "import type { C } from './c.ts';"],
      ['lib/c.ts', "export { d } from './d.ts';"],
      ['lib/d.ts', ''],
    ]);
    expect(longestChain(importGraph(sources, { types: false }))).toEqual(['lib/a.ts', 'lib/d.ts']);
    expect(longestChain(importGraph(sources, { types: true }))).toEqual([
      'lib/a.ts',
      'lib/b.ts',
      'lib/c.ts',
      'lib/d.ts',
    ]);
    const circle = importGraph(new Map([...sources, ['lib/d.ts', "import './b.ts';"]]), { types: true });
    expect(longestChain(circle)).toEqual(['lib/a.ts', 'lib/d.ts', 'lib/b.ts', 'lib/c.ts']);
  });

  test('the environment and the terminal are found in code, not in words', () => {
    const uses = (source: string): string[] => ambientUses(new Map([['lib/x.ts', source]]));
    expect(uses('const a = process.env.HOME;\nconsole.log(process.cwd());')).toHaveLength(3);
    expect(uses('const a = `$' + '{process.argv[2]} and $' + '{`$' + '{process.env.B}`}`;')).toHaveLength(2);
    expect(
      uses("// process.env\n/* console.log */ const a = 'process.cwd()', b = /console.log/, c = `console.`;"),
    ).toEqual([]);
    expect(uses("import { env } from 'node:process';\nconst a = process['env'];")).toHaveLength(2);
    expect(ambientUses(new Map([['cli/main.ts', 'process.exitCode = 1;']]))).toEqual([]);
  });

  test('a test that knows the time is found, unless a comment says why', () => {
    const found = (source: string): string[] => clockUses(new Map([['test/x.test.ts', source]]));
    const sleeps = "import { setTimeout as sleep } from 'node:timers/promises';\n";
    expect(found(`${sleeps}await sleep(5);\nexpect(performance.now() - begun).toBeLessThan(9);`)).toEqual([
      'test/x.test.ts:2: sleep',
      'test/x.test.ts:3: performance.now',
    ]);
    expect(found('setTimeout(a, 5);\nawait expect.poll(b).toBe(1);\nvi.waitFor(c);')).toHaveLength(3);
    expect(found('await until(a, b, 20_000);\nawait until(a, b, 90_000);\nawait until(a, b);')).toHaveLength(1);
    expect(
      found('test("a", b, 9_000);\ntest.each([1])("a", { timeout: 5_000 }, b);\nbeforeAll(a, 60_000);'),
    ).toHaveLength(3);
    expect(found('test("a", { timeout: 900_000 }, b);\njudged("a", ["b"], c);\nafterAll(a);')).toEqual([]);
    expect(found(`${sleeps}// Clock: the server has to see a gap.\nawait sleep(5);`)).toEqual([]);
    expect(found(`${sleeps}// Clock:\nawait sleep(5);`)).toHaveLength(1);
    expect(clockUses(new Map([['test/support/until.ts', 'performance.now();']]))).toEqual([]);
  });

  test('a test that is left out, and a using declaration', () => {
    const found = (source: string): string[] => leftOut(new Map([['test/x.test.ts', source]]));
    expect(found("test.skip('a', b);\ndescribe.only('c', d);\ntest.each([1]).concurrent.todo('e');")).toHaveLength(3);
    expect(found("list.skip(2);\n// test.skip\nconst a = 'test.only';")).toEqual([]);
    const declared = usingDeclarations(new Map([['lib/x.ts', '  await using file = await open();\nusing a = b;']]));
    expect(declared).toEqual(['lib/x.ts:1: await using', 'lib/x.ts:2: using']);
  });

  test('a source that is no TypeScript is passed over by no check', () => {
    expect(() => parsed('const a = ;')).toThrow('line 1: Unexpected token');
  });

  test('functions are measured from head to end, whatever strings and types hold', () => {
    const body = (lines: number): string => Array.from({ length: lines }, () => "  a('}');").join('\n');
    const longest = (source: string): number => Math.max(...functionsOf(source).map(({ lines }) => lines));
    expect(longest(`export async function* a(b: { c: () => void }): Bytes {\n${body(120)}\n}`)).toBe(122);
    expect(longest(`function a<T>(b: T): { c: T; d(): { e: T } } {\n${body(110)}\n}`)).toBe(112);
    expect(longest(`function a(b: unknown): b is { c: 1 } {\n${body(110)}\n}`)).toBe(112);
    expect(longest(`const a = (b: string): void => {\n${body(101)}\n};`)).toBe(103);
    expect(longest(`class A {\n  private async b(): Promise<void> {\n${body(105)}\n  }\n}`)).toBe(107);
    expect(longest(`function a(): void {\n  const b = /[{/]{2}/;\n}\n{\n${body(150)}\n}`)).toBe(3);
    expect(longest(`const a = () => [\n${"  '}',\n".repeat(90)}];`)).toBe(92);
  });

  test('an export without a docstring is found behind re-exports', () => {
    const sources = new Map([
      ['lib/index.ts', "export { pack, type Request } from './flows/pack/index.ts';\nexport * from './a.ts';"],
      [
        'lib/flows/pack/index.ts',
        "/** Packs. */\nexport async function pack() {}\nexport type { Request } from './request.ts';",
      ],
      ['lib/flows/pack/request.ts', 'export interface Request {}'],
      ['lib/a.ts', '/** One. */\nexport const one = 1;\nexport const two = 2;'],
    ]);
    expect(undocumented(sources, 'lib/index.ts')).toEqual(['Request of lib/flows/pack/request.ts', 'two of lib/a.ts']);
  });

  test('an export without a docstring is found behind functions that load their module when they are called', () => {
    const sources = new Map([
      [
        'lib/index.ts',
        "import { lazily } from './lazily.ts';\nexport const pack = lazily(async () => (await import('./flows/pack/index.ts')).pack);\n" +
          "export const list = lazilyEach(async () => (await import('./list.ts')).list);",
      ],
      ['lib/flows/pack/index.ts', '/** Packs. */\nexport async function pack() {}'],
      ['lib/list.ts', 'export async function* list() {}'],
    ]);
    expect(undocumented(sources, 'lib/index.ts')).toEqual(['list of lib/list.ts']);
    expect(declaredTwice(sources)).toEqual([]);
  });

  test('a name that two files export is found, and overloads, re-exports and private names are not', () => {
    const sources = new Map([
      [
        'lib/a.ts',
        'export interface Session {}\nexport function open(a: 1): void;\nexport function open(a: 2): void {}',
      ],
      ['lib/b.ts', "export type Session = 1;\nexport { open } from './a.ts';\nconst close = 1;"],
      ['lib/c.ts', 'export const close = 2;\nfunction open() {}'],
    ]);
    expect(declaredTwice(sources)).toEqual(['Session: lib/a.ts, lib/b.ts']);
  });
});
