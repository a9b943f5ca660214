import { describe, expect, test } from 'vitest';
import { apiOf, readApi } from '../../../scripts/package/api.ts';
import { declarationsOf } from '../../../scripts/package/declarations.ts';
import { doors, readDoor } from '../../../scripts/package/door.ts';
import { type DeclaredModule, moduleOf } from '../../../scripts/package/modules.ts';
import { apiPage } from '../../../scripts/package/page.ts';

const doorPath = doors['solpack']!;

function modules(sources: Readonly<Record<string, string>>): Map<string, DeclaredModule> {
  return new Map(Object.entries(sources).map(([path, source]) => [path, moduleOf(path, source)]));
}

const door = `import { lazily } from './lazily.ts';

// Making
export const pack = lazily(async () => (await import('./flows/pack/index.ts')).pack);

// Helpers
export { exits } from './kernel/events/errors.ts';
export type { Flow } from './kernel/events/flow.ts';
`;

const sources = {
  [doorPath]: "export declare const pack: (given_0: import('./flows/pack/request.ts').Request) => Promise<string>;",
  'lib/flows/pack/index.ts': "export { pack } from './pack.ts';",
  'lib/flows/pack/pack.ts':
    "import type { Request } from './request.ts';\n/** Packs. */\nexport declare function pack({ flow }: Request): Promise<string>;",
  'lib/flows/pack/request.ts':
    "import type { Flow as F } from '../../kernel/events/flow.ts';\n/** What. */\nexport interface Request {\n    readonly flow: F;\n    readonly pack: string;\n}",
  'lib/kernel/events/errors.ts': '/** Codes. */\nexport declare const exits: {\n    readonly ok: 0;\n};',
  'lib/kernel/events/flow.ts':
    "import type { KeyObject } from 'node:crypto';\n/** Runs. */\nexport interface Flow {\n    readonly key: KeyObject;\n}",
};

describe('the declarations of the package', () => {
  test('hold what the door opens, under its names, with the docstrings of where it is declared', () => {
    const text = declarationsOf(apiOf(readDoor(doorPath, door), modules(sources)));
    expect(text).toContain("import type { KeyObject } from 'node:crypto';");
    expect(text).toContain('/** Packs. */\nexport declare function pack(request: Request): Promise<string>;');
    expect(text).toContain('/** Codes. */\nexport declare const exits: {\n    readonly ok: 0;\n};');
    expect(text).toContain('/** Runs. */\nexport interface Flow {\n    readonly key: KeyObject;\n}');
    expect(text).toContain(
      '\n/** What. */\ninterface Request {\n    readonly flow: Flow;\n    readonly pack: string;\n}',
    );
  });

  test('are refused where a user would need a package for them', () => {
    const withZod = {
      ...sources,
      'lib/kernel/events/flow.ts': "import { z } from 'zod';\nexport type Flow = z.infer<string>;",
    };
    expect(() => apiOf(readDoor(doorPath, door), modules(withZod))).toThrow('lib/kernel/events/flow.ts shows z of zod');
  });

  test('are refused where two things would have one name', () => {
    const twice = {
      ...sources,
      'lib/flows/pack/request.ts': 'interface Flow {}\nexport interface Request {\n    readonly flow: Flow;\n}',
    };
    expect(() => apiOf(readDoor(doorPath, door), modules(twice))).toThrow('would have one name');
  });

  test('are refused where the door declares something of its own', () => {
    expect(() => readDoor(doorPath, 'export const a = 1;')).toThrow('declares something of its own');
  });
});

describe('the library', () => {
  const api = readApi();

  test('exports every type that what it exports is made of', () => {
    const hidden = api.entries.filter(({ section, texts }) => section === undefined && !texts[0]!.startsWith('const '));
    expect(
      hidden.map(({ name }) => name),
      'export these types from lib/types.ts',
    ).toEqual([]);
  });

  test('has a page that tells of each, by its subject', () => {
    const page = apiPage(api);
    const opened = api.entries.filter(({ section }) => section !== undefined);
    expect(opened.filter(({ name }) => !page.includes(`\n### \`${name}\`\n`))).toEqual([]);
    expect(opened.filter(({ doc }) => doc === '').map(({ name }) => name)).toEqual([]);
  });
});
