import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bare, type Sources } from './support/architecture/code.ts';
import { undocumented } from './support/architecture/exports.ts';
import { cycles } from './support/architecture/imports.ts';
import { ambientUses, wrongImports } from './support/architecture/layers.ts';
import { functionsOf, linesOf, longFunctions, median } from './support/architecture/sizes.ts';

const root = dirname(import.meta.dirname);

function read(...patterns: string[]): Sources {
  const paths = globSync(patterns, { cwd: root }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

const product = read('cli/**/*.ts', 'lib/**/*.ts', 'formats/**/*.ts');
const everything = new Map([...product, ...read('scripts/**/*.ts', 'test/**/*.ts')]);

const usingDeclaration = /^\s*(?:await )?using \w+ =/m;

describe('the house', () => {
  test('formats know no one, lib knows formats, cli knows lib, and inside lib flows know families know the kernel', () => {
    expect(product.size).toBeGreaterThan(0);
    expect(wrongImports(product)).toEqual([]);
  });

  test('no imports go in a circle', () => {
    expect(cycles(product)).toEqual([]);
  });

  test('only cli touches the environment and the terminal', () => {
    expect(ambientUses(product)).toEqual([]);
  });

  test('no file has more than 400 lines, and half have 90 or fewer', () => {
    const long = [...everything].filter(([, source]) => linesOf(source) > 400).map(([path]) => path);
    expect(long).toEqual([]);
    expect(median([...product.values()].map(linesOf))).toBeLessThanOrEqual(90);
  });

  test('no function has more than 100 lines', () => {
    expect(longFunctions(product, 100)).toEqual([]);
  });

  test('every export of lib/index.ts has a docstring', () => {
    expect(undocumented(product, 'lib/index.ts')).toEqual([]);
  });

  test('no source has a using declaration, which Node.js 22 cannot parse', () => {
    const found = [...product].filter(([, source]) => usingDeclaration.test(bare(source)));
    expect(found.map(([path]) => path)).toEqual([]);
    expect(usingDeclaration.test('  await using file = await open();')).toBe(true);
  });

  test('no test is left out by its author', () => {
    const left = /\b(?:test|it|describe|suite)\s*\.\s*(?:skip|only|todo|skipIf|runIf)\b/;
    const found = [...everything].filter(([path, source]) => path.startsWith('test/') && left.test(bare(source)));
    expect(found.map(([path]) => path)).toEqual([]);
  });
});

describe('the checks find what is planted', () => {
  test.each([
    ['formats may not import kernel', 'formats/x.ts', "import { a } from '../lib/a.ts';"],
    ['formats may not import kernel', 'formats/x.ts', "import type { A } from '../lib/a.ts';"],
    ['formats may not use node:fs/promises', 'formats/x.ts', "import { readFile } from 'node:fs/promises';"],
    ['formats may not use fs', 'formats/x.ts', "import fs from 'fs';"],
    ['node:http is had from lib/http/node.ts', 'lib/x.ts', "import { request } from 'node:http';"],
    ['zod is had from formats/schema.ts', 'formats/x.ts', "import { z } from 'zod';"],
    ['formats may not import cli', 'formats/tar/x.ts', "export { a } from '../../cli/a.ts';"],
    ['kernel may not import family', 'lib/x.ts', "import {\n  a,\n  b,\n} from './trust/index.ts';"],
    ['kernel may not import flow', 'lib/x.ts', "const a = await import('./pack/index.ts');"],
    ['kernel may not import library', 'lib/x.ts', "import './index.ts';"],
    ['family trust may not import its sibling archives', 'lib/trust/x.ts', "import { a } from '../archives/index.ts';"],
    ['family may not import flow', 'lib/images/x.ts', "export * from '../pack/index.ts';"],
    ['shared may not import flow', 'lib/solutions/x.ts', "import { verify } from '../verify/index.ts';"],
    ['flow verify may not import flow install', 'lib/verify/x.ts', "import { a } from '../install/index.ts';"],
    ['flow serve may not import flow install', 'lib/serve/x.ts', "import type { A } from '../install/index.ts';"],
    ['flow brew has no place in the order of flows', 'lib/brew/x.ts', "import { a } from '../pack/index.ts';"],
    ['flow may not import cli', 'lib/pack/x.ts', "import { a } from '../../cli/a.ts';"],
    ['library may not import scripts', 'lib/index.ts', "import { a } from '../scripts/a.ts';"],
    ['cli may not import formats', 'cli/x.ts', "import { sha256 } from '../formats/digest.ts';"],
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
      'a family may use itself, the kernel and Node',
      'lib/trust/x.ts',
      "import './keys.ts';\nimport '../errors.ts';\nimport 'node:fs';",
    ],
    [
      'a flow may use families, what flows share, and flows before it',
      'lib/install/x.ts',
      "import '../trust/index.ts';\nimport '../solutions/choose.ts';\nimport '../verify/index.ts';",
    ],
    ['cli may use types of formats', 'cli/x.ts', "import type { Digest } from '../formats/digest.ts';"],
    ['words are no imports', 'formats/x.ts', "/**\n * Taken from '../lib/a.ts'.\n */\nexport const a = 1;"],
  ])('%s', (_, path, source) => {
    expect(wrongImports(new Map([[path, source]]))).toEqual([]);
  });

  test('a circle of imports is found, one of types is none', () => {
    const circle = (word: string): Sources =>
      new Map([
        ['lib/a.ts', "import { b } from './b.ts';"],
        ['lib/b.ts', "import { c } from './c.ts';"],
        ['lib/c.ts', `import ${word} { a } from './a.ts';`],
      ]);
    expect(cycles(circle(''))).toEqual(['lib/a.ts -> lib/b.ts -> lib/c.ts -> lib/a.ts']);
    expect(cycles(circle('type'))).toEqual([]);
  });

  test('the environment and the terminal are found in code, not in words', () => {
    const uses = (source: string): string[] => ambientUses(new Map([['lib/x.ts', source]]));
    expect(uses('const a = process.env.HOME;\nconsole.log(process.cwd());')).toHaveLength(3);
    expect(uses('const a = `$' + '{process.argv[2]} and $' + '{`$' + '{process.env.B}`}`;')).toHaveLength(2);
    expect(
      uses("// process.env\n/* console.log */ const a = 'process.cwd()', b = /console.log/, c = `console.`;"),
    ).toEqual([]);
    expect(ambientUses(new Map([['cli/main.ts', 'process.exitCode = 1;']]))).toEqual([]);
  });

  test('functions are measured by their braces, whatever strings and types hold', () => {
    const body = (lines: number): string => Array.from({ length: lines }, () => "  a('}');").join('\n');
    const longest = (source: string): number => Math.max(...functionsOf(source).map(({ lines }) => lines));
    expect(longest(`export async function* a(b: { c: () => void }): Bytes {\n${body(120)}\n}`)).toBe(122);
    expect(longest(`function a<T>(b: T): { c: T; d(): { e: T } } {\n${body(110)}\n}`)).toBe(112);
    expect(longest(`function a(b: unknown): b is { c: 1 } {\n${body(110)}\n}`)).toBe(112);
    expect(longest(`const a = (b: string): void => {\n${body(101)}\n};`)).toBe(103);
    expect(longest(`class A {\n  private async b(): Promise<void> {\n${body(105)}\n  }\n}`)).toBe(107);
    expect(longest(`function a(): void {\n  const b = /[{/]{2}/;\n}\nconst c = {\n${body(150)}\n};`)).toBe(3);
  });

  test('an export without a docstring is found behind re-exports', () => {
    const sources = new Map([
      ['lib/index.ts', "export { pack, type Request } from './pack/index.ts';\nexport * from './a.ts';"],
      [
        'lib/pack/index.ts',
        "/** Packs. */\nexport async function pack() {}\nexport type { Request } from './request.ts';",
      ],
      ['lib/pack/request.ts', 'export interface Request {}'],
      ['lib/a.ts', '/** One. */\nexport const one = 1;\nexport const two = 2;'],
    ]);
    expect(undocumented(sources, 'lib/index.ts')).toEqual(['Request of lib/pack/request.ts', 'two of lib/a.ts']);
  });
});
