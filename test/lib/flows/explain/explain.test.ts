import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatErrors } from '../../../../formats/error.ts';
import { explainText } from '../../../../lib/flows/explain/files.ts';
import { explainCode, explanations } from '../../../../lib/flows/explain/index.ts';
import { findings } from '../../../../lib/kernel/content/model.ts';
import { errorInfo } from '../../../../lib/kernel/events/errors.ts';
import { closureFindings } from '../../../../lib/shared/rendering/closure/findings.ts';

const root = join(import.meta.dirname, '../../../..');

test.each([
  ['configuration', 'apiVersion: a\nkind: SolutionsConfiguration\narchives: []\n'],
  ['definition', 'name = "a"\n[[components]]\nname = "b"\n'],
  ['policy', 'version = 1\n[[keys]]\nname = "a"\n'],
  ['profile', 'kubeconfig = "a"\n[images]\nserve = "b"\n'],
  ['policy', '#:schema .solpack/schemas/policy.schema.json\n'],
  [undefined, 'kind: ConfigMap\n'],
])('a file is known by what it holds: %s', (format, text) => {
  expect(explainText(text)?.format).toBe(format);
});

describe('what a code means', () => {
  test('is told of every code, with what to do', () => {
    const tables = [errorInfo, findings, closureFindings, formatErrors];
    expect(explanations().map(({ code }) => code)).toEqual(tables.flatMap((table) => Object.keys(table)));
    for (const { code, advice } of explanations()) expect(advice, code).toMatch(/^[A-Z`].*\.$/);
  });

  test('names no flag and no command that solpack does not have', () => {
    const commands = readFileSync(join(root, 'docs/commands.md'), 'utf8');
    const said = explanations()
      .map(({ advice }) => advice)
      .join('\n');
    const flags = [...said.matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
    const named = [...said.matchAll(/`solpack ([a-z-]+)/g)].map(([, name]) => name!);
    expect(flags.length).toBeGreaterThan(15);
    expect(named.length).toBeGreaterThan(15);
    expect(flags.filter((flag) => !commands.includes(`${flag} `) && !commands.includes(`${flag}\n`))).toEqual([]);
    expect(named.filter((name) => !commands.includes(`## \`solpack ${name}\``))).toEqual([]);
    const pages = [...said.matchAll(/docs\/[a-z]+\.md/g)].map(([path]) => path);
    expect(pages.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  });

  test('is reported with or without brackets, in capitals too, and of all that it stands for', () => {
    expect(explainCode('[disk-full]')).toEqual(explainCode('Disk-Full'));
    expect(explainCode('disk-full')).toEqual([
      { code: 'disk-full', kind: 'error', meaning: errorInfo['disk-full'].title, advice: expect.any(String), exit: 6 },
    ]);
    expect(explainCode('key-invalid').map(({ kind }) => kind)).toEqual(['error', 'reason']);
  });

  test.each([
    ['registry-deny', /did you mean registry-denied/],
    ['xyzzy', /lists all codes/],
    ['demo/solution.lock', /"solpack docs format#the-lock-solutionlock" describes it/],
    ['', /lists all codes/],
    ['__proto__', /lists all codes/],
  ])('is not known of %j, and the one that was meant is reported', (code, hint) => {
    expect(() => explainCode(code)).toThrowError(
      expect.objectContaining({ code: 'usage-invalid', hint: expect.stringMatching(hint) }),
    );
  });
});
