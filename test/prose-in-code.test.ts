import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hardToRead } from './support/prose.ts';
import { commentsIn, type TextInCode, textsIn, wideComments } from './support/prose-in-code.ts';

const root = dirname(import.meta.dirname);
const paths = globSync(['cli/**/*.ts', 'lib/**/*.ts', 'formats/**/*.ts'], { cwd: root }).sort();
const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

/** Files whose texts are programs. */
const programs = ['cli/completion/scripts.ts', 'cli/view/html/script.ts', 'cli/view/html/style.ts'];

function hard(path: string, texts: readonly TextInCode[]): string[] {
  return texts.flatMap(({ line, text }) => hardToRead(text).map((one) => `${path}:${line}: ${one}`));
}

describe('prose in the code', () => {
  test('of messages, hints and help has no turn of phrase that makes a reader stop', () => {
    const found = [...sources].flatMap(([path, source]) =>
      programs.includes(path) ? [] : hard(path, textsIn(source)),
    );
    expect(found).toEqual([]);
  });

  test('of comments has none', () => {
    expect([...sources].flatMap(([path, source]) => hard(path, commentsIn(source)))).toEqual([]);
  });

  test('of comments keeps to 120 columns', () => {
    const found = [...sources].flatMap(([path, source]) => wideComments(source, 120).map((line) => `${path}:${line}`));
    expect(found).toEqual([]);
  });

  test('of names is no participle that a reader has to guess the noun of', () => {
    const found = [...sources].flatMap(([path, source]) =>
      [...source.matchAll(/\b(?:\w*[Tt]old|(?:interface|type|class) (?:Begun|Coursing|Former|Held|Kept))\b/g)].map(
        ([name]) => `${path}: ${name}`,
      ),
    );
    expect(found.filter((one) => !/(?:[Tt]hreshold|scaffold)$/.test(one))).toEqual([]);
  });

  test('is found in a text, in a template, in texts that are added, and in a comment', () => {
    const planted = [
      "const message = 'the name is told once more';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
      'const template = `${name} is told once more`;',
      "const sum = 'the version ' + 'before is gone';",
    ];
    for (const source of planted) expect(hard('x.ts', textsIn(source)), source).not.toEqual([]);
    expect(hard('x.ts', commentsIn('/** Whether it is told. */\nconst isTold = 1;\n'))).not.toEqual([]);
    expect(commentsIn('// The version\n// before is gone.\n')).toEqual([
      { line: 1, text: 'The version\nbefore is gone.' },
    ]);
    expect(wideComments(`// ${'word '.repeat(30)}end\n`, 120)).toEqual([1]);
    expect(wideComments(`const a = '${'word '.repeat(30)}';\n`, 120)).toEqual([]);
  });
});
