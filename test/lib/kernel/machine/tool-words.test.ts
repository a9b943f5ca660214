import { describe, expect, test } from 'vitest';
import { toolWords } from '../../../../lib/kernel/machine/tool-words.ts';

describe('what a program said before it failed', () => {
  test.each<[string, string[], string]>([
    [
      'without advice about flags that are not here, and without warnings before it',
      [
        'level=WARN msg="something else"',
        'Error: execution error at (web/templates/b.yaml:1:3): not today',
        '',
        'Use --debug flag to render out invalid YAML',
      ],
      'execution error at (web/templates/b.yaml:1:3): not today',
    ],
    [
      'in all its lines',
      [
        "Error: values don't meet the specifications of the schema(s) in the following chart(s):",
        'web:',
        "- at '': missing",
      ],
      "values don't meet the specifications of the schema(s) in the following chart(s): web: - at '': missing",
    ],
    [
      'without what kubectl writes around it',
      ['E1123 08:29:28.301255   18656 run.go:72] "command failed" err="no resource matches \\"a\\"; failed\\nonce"'],
      'no resource matches "a"; failed once',
    ],
    ['by paths that are not of a folder that is gone', ['error: /tmp/x/y/a.yaml: bad in /tmp/x/y'], 'a.yaml: bad in .'],
    ['as it is, where it is like nothing else', ['cannot', ' do that'], 'cannot do that'],
    ['not at all', [], ''],
  ])('is reported %s', (_, lines, words) => {
    expect(toolWords(lines, '/tmp/x/y')).toBe(words);
  });

  test('keeps its beginning and its end where it is long', () => {
    const words = toolWords([`Error: web/templates/a.yaml: ${'calling include: '.repeat(100)}set the host`]);
    expect(words).toMatch(/^web\/templates\/a\.yaml: calling .* … .*calling include: set the host$/);
    expect(words.length).toBeLessThan(620);
  });
});
