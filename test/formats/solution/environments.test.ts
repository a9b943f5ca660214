import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';
import { type ConfigurationEdit, editConfiguration } from '../../../formats/solution/configuration-edit.ts';
import { instanceName, instanceParts, isInstanceOf } from '../../../formats/solution/environments.ts';

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const grouped = (environments: string): string =>
  `${head}solutions:\n  - name: web   # it\n    archives: [a.iso]\n${environments}  - {name: db, archives: [b.iso]}\n# end\n`;
const flat = (environments: string): string => `${head}archives: [a.iso]  # one\n${environments}# end\n`;

const environmentsIn = (text: string) =>
  [...parseConfiguration(utf8(text)).environments].map(([name, own]) => [name, Object.fromEntries(own)]);

const edited = (text: string, ...edits: ConfigurationEdit[]): string =>
  new TextDecoder().decode(edits.reduce(editConfiguration, utf8(text)));
const place = (environment: string, wanted: string, solution = 'web'): ConfigurationEdit => {
  return { edit: 'place', solution, environment, wanted };
};

describe('environments', () => {
  test('are read in both forms; an empty mapping is none, and no mapping says nothing', () => {
    expect(environmentsIn(grouped('    environments: {team-a: "1.0.0", team-b: latest}\n'))).toEqual([
      ['web', { 'team-a': '1.0.0', 'team-b': 'latest' }],
    ]);
    expect(environmentsIn(flat('environments:\n  web: {team-a: "^1"}\n  db: {}\n'))).toEqual([
      ['web', { 'team-a': '^1' }],
      ['db', {}],
    ]);
    expect(environmentsIn(grouped('    environments: {}\n'))).toEqual([['web', {}]]);
    expect([environmentsIn(grouped('')), environmentsIn(flat(''))]).toEqual([[], []]);
  });

  test('say in a mapping what their site sets beside the version; an edit leaves that where it is', () => {
    const own = '{version: "1.0.0", values: {web: [{host: a.example.com}]}}';
    const texts = [
      grouped(
        `    values: {web: [{host: w}]}\n    environments:\n      team-a: ${own}\n      team-b: {patches: {web: []}}\n`,
      ),
      flat(
        `values: {web: {web: [{host: w}]}}\nenvironments:\n  web:\n    team-a: ${own}\n    team-b: {patches: {web: []}}\n`,
      ),
    ];
    for (const text of texts) {
      expect(environmentsIn(text)).toEqual([['web', { 'team-a': '1.0.0', 'team-b': 'latest' }]]);
      const { sites } = parseConfiguration(utf8(text));
      expect(sites.map(({ solution, environment, component }) => [solution, environment, component])).toEqual([
        ['web', undefined, 'web'],
        ['web', 'team-a', 'web'],
        ['web', 'team-b', 'web'],
      ]);
      expect(sites[1]!.values[0]!.at.value).toEqual({ host: 'a.example.com' });
      const later = edited(text, place('team-a', '1.1.0'), place('team-b', '1.1.0'));
      expect(later).toContain('{version: "1.1.0", values: {web: [{host: a.example.com}]}}');
      expect(environmentsIn(later)).toEqual([['web', { 'team-a': '1.1.0', 'team-b': '1.1.0' }]]);
      expect(environmentsIn(edited(later, place('team-a', 'none')))).toEqual([['web', { 'team-b': '1.1.0' }]]);
    }
  });

  test.each([
    ['{team-a: {verson: "1.0.0"}}', 'unknown field; did you mean "version"?'],
    ['{team-a: {version: 1.0}}', 'SemVer version in quotes'],
    ['{team-a: {values: {web: {host: a}}}}', 'values'],
    ['{team-a: 1.0}', 'SemVer version in quotes'],
    ['{team-a: none}', 'SemVer version in quotes'],
    ['{Team: latest}', 'RFC 1123 label'],
    ['{a.b: latest}', 'RFC 1123 label'],
    ['[team-a]', 'environments'],
    ['{kube-system: latest}', 'kube-system is not a namespace for environments'],
    ['{solpack-system: latest}', 'solpack-system is not a namespace for environments'],
    [`{${'a'.repeat(60)}: latest}`, 'has more than 63 characters'],
  ])('%s are refused, at their place', (environments, words) => {
    for (const text of [
      grouped(`    environments: ${environments}\n`),
      flat(`environments: {web: ${environments}}\n`),
    ]) {
      const refusal = (() => {
        try {
          return parseConfiguration(utf8(text));
        } catch (error) {
          return error;
        }
      })();
      expect(refusal).toBeInstanceOf(FormatError);
      expect((refusal as FormatError).message).toContain(words);
      expect((refusal as FormatError).message).toMatch(/^[4-6]:/);
    }
  });

  test('stand in one of the forms, not in both', () => {
    expect(() => parseConfiguration(utf8(`${grouped('')}environments: {}\n`))).toThrow('use one form');
  });

  test('name what the cluster knows', () => {
    expect([instanceName('web', undefined), instanceName('web', 'team-a')]).toEqual(['web', 'web.team-a']);
    expect([instanceParts('web'), instanceParts('web.team-a')]).toEqual([
      { name: 'web' },
      { name: 'web', environment: 'team-a' },
    ]);
    const asked = ['web', 'web.team-a', 'web-2', 'web.team-b'].map((one) => isInstanceOf(one, 'web'));
    expect([asked, isInstanceOf('web.team-a', 'web.team'), isInstanceOf('web', 'web.team-a')]).toEqual([
      [true, true, false, true],
      false,
      false,
    ]);
  });
});

describe('an edit of environments', () => {
  test('adds, changes and removes one in the grouped form', () => {
    const one = edited(grouped(''), place('team-a', '1.0.0'));
    expect(one).toBe(grouped('    environments:\n      team-a: "1.0.0"\n'));
    const two = edited(one, place('team-b', '^1.1'), place('team-a', 'latest'));
    expect(environmentsIn(two)).toEqual([['web', { 'team-a': 'latest', 'team-b': '^1.1' }]]);
    expect(edited(two, place('team-b', 'none'), place('team-a', '1.0.0'))).toBe(one);
    expect(environmentsIn(edited(one, place('team-a', 'none')))).toEqual([['web', {}]]);
    expect(edited(one, place('team-z', 'none'))).toBe(one);
  });

  test('adds, changes and removes one in the flat form, below the name of the Solution', () => {
    const one = edited(flat(''), place('team-a', '1.0.0'));
    expect(environmentsIn(one)).toEqual([['web', { 'team-a': '1.0.0' }]]);
    const two = edited(one, place('team-b', '1.x', 'db'), place('team-b', '2.0.0'));
    expect(environmentsIn(two)).toEqual([
      ['web', { 'team-a': '1.0.0', 'team-b': '2.0.0' }],
      ['db', { 'team-b': '1.x' }],
    ]);
    expect(edited(two, place('team-b', 'none'), place('team-b', 'none', 'db'))).toContain('db: {}');
  });

  test('lets a group that says no version want the highest, since that is something else then', () => {
    const text = grouped('    environments: {team-a: "1.0.0"}\n');
    const want: ConfigurationEdit = { edit: 'want', solution: 'web', wanted: 'latest' };
    expect(parseConfiguration(utf8(edited(text, want))).active.get('web')).toBe('latest');
    expect(edited(grouped(''), want)).toBe(grouped(''));
  });

  const namespace = fc.constantFrom('team-a', 'team-b', 'on', 'n1');
  const wanted = fc.constantFrom('latest', '1.0.0', '2.0.0-rc.1', '^1.2', '>=1.2 <2', '1.0');
  const environments = fc
    .tuple(fc.dictionary(namespace, wanted, { maxKeys: 3, noNullPrototype: true }), fc.boolean(), fc.boolean())
    .map(([own, isFlow, isFlat]) => {
      const pairs = Object.entries(own).map(([name, version]) => `"${name}": ${JSON.stringify(version)}`);
      const flow = `{${pairs.join(', ')}}   # kept`;
      const lead = isFlat ? '    ' : '      ';
      const lines = pairs.length === 0 ? ' {}' : pairs.map((pair) => `\n${lead}${pair} # of it`).join('');
      const body = isFlow ? ` ${flow}` : lines;
      return isFlat ? flat(`environments:\n  web:${body}\n`) : grouped(`    environments:${body}\n`);
    });

  test('says what was wanted, keeps every other line, and is undone to the same meaning', () => {
    fc.assert(
      fc.property(environments, namespace, fc.oneof(wanted, fc.constant('none')), (text, name, version) => {
        const before = parseConfiguration(utf8(text));
        const after = edited(text, place(name, version));
        const now = new Map(before.environments.get('web'));
        if (version === 'none') now.delete(name);
        else now.set(name, version);
        expect(parseConfiguration(utf8(after))).toEqual({ ...before, environments: new Map([['web', now]]) });
        const kept = text.split('\n').filter((line) => after.split('\n').includes(line));
        expect(kept.length).toBeGreaterThanOrEqual(text.split('\n').length - 2);
        const back = edited(after, place(name, before.environments.get('web')!.get(name) ?? 'none'));
        expect(parseConfiguration(utf8(back))).toEqual(before);
      }),
      { seed: 24, numRuns: 500 },
    );
  });
});
