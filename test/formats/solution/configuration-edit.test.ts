import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { schemaLine } from '../../../formats/document/schema-line.ts';
import { FormatError } from '../../../formats/error.ts';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';
import {
  type ConfigurationEdit,
  editConfiguration,
  newConfiguration,
} from '../../../formats/solution/configuration-edit.ts';
import { sampledRuns } from '../../support/sample.ts';

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';

const grouped = `# The edge of the shop.
apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: "SolutionsConfiguration"

solutions:
  - name: guestbook   # the book
    activeVersion: '1.0.0'  # not yet 1.1
    archives:
      # from the vendor
      -   guestbook-1.0.0.iso # 2026-01
      -   guestbook-1.1.0.iso

    values: {web: [{replicas: 2}]}
  - {name: other, archives: [ "c.iso" ]}   # small
# the end
`;
const flat = `${head}archives:
- /srv/a.iso   # one
# two
- '/srv/b.iso'
active:
    guestbook:   latest # always
    other: "1.0.0"
`;

const edited = (text: string, ...edits: ConfigurationEdit[]): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(edits.reduce(editConfiguration, utf8(text)));
const add = (solution: string, entry: string): ConfigurationEdit => ({ edit: 'add', solution, entry });
const remove = (entry: string): ConfigurationEdit => ({ edit: 'remove', entry });
const want = (solution: string, wanted: string): ConfigurationEdit => ({ edit: 'want', solution, wanted });

/** The lines that `after` has and `before` has not, and the other way round, by their numbers. */
function difference(before: string, after: string): { gone: string[]; come: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return { gone: old.filter((line) => !now.includes(line)), come: now.filter((line) => !old.includes(line)) };
}

describe('editConfiguration', () => {
  test.each<[string, string, ConfigurationEdit, string[], string[]]>([
    ['an archive to a group', grouped, add('guestbook', 'x.iso'), [], ['      -   x.iso']],
    [
      'an archive to a group in brackets, in the quotes of its neighbour',
      grouped,
      add('other', 'x.iso'),
      ['  - {name: other, archives: [ "c.iso" ]}   # small'],
      ['  - {name: other, archives: [ "c.iso", "x.iso" ]}   # small'],
    ],
    ['a group', grouped, add('new', 'x.iso'), [], ['  - name: new', '      - x.iso']],
    ['an archive to the flat form', flat, add('any', '/srv/it is.iso'), [], ["- '/srv/it is.iso'"]],
    [
      'a version in the quotes that are there',
      grouped,
      want('guestbook', '>=1.2 <2'),
      ["    activeVersion: '1.0.0'  # not yet 1.1"],
      ["    activeVersion: '>=1.2 <2'  # not yet 1.1"],
    ],
    [
      'that a group is not active',
      grouped,
      want('other', 'none'),
      ['  - {name: other, archives: [ "c.iso" ]}   # small'],
      ['  - {name: other, activeVersion: none, archives: [ "c.iso" ]}   # small'],
    ],
    [
      'a version in the flat form',
      flat,
      want('guestbook', '1.1.0'),
      ['    guestbook:   latest # always'],
      ['    guestbook:   1.1.0 # always'],
    ],
    ['a Solution in the flat form', flat, want('third', '^1.2'), [], ['    third: "^1.2"']],
    ['no longer a Solution in the flat form', flat, want('other', 'none'), ['    other: "1.0.0"'], []],
    ['no longer an archive', grouped, remove('guestbook-1.0.0.iso'), ['      -   guestbook-1.0.0.iso # 2026-01'], []],
    ['no longer an archive of the flat form', flat, remove('/srv/b.iso'), ["- '/srv/b.iso'"], []],
  ])('writes %s, and leaves every other line', (_, text, edit, gone, come) => {
    expect(difference(text, edited(text, edit))).toEqual({ gone, come });
  });

  test('leaves every byte where there is nothing to change', () => {
    for (const edit of [add('guestbook', 'guestbook-1.0.0.iso'), want('guestbook', '1.0.0'), remove('x.iso')]) {
      expect(edited(grouped, edit)).toBe(grouped);
    }
    expect(edited(flat, want('absent', 'none'), add('any', '/srv/a.iso'), want('other', '1.0.0'))).toBe(flat);
    expect(edited(grouped, want('other', 'latest'), want('absent', '1.0.0'))).toBe(grouped);
    expect(edited(`${head}archives: []\n`, want('absent', 'none'))).toBe(`${head}archives: []\n`);
  });

  test.each([
    ['an empty list', 'archives: []', 'archives:\n  - a.iso'],
    ['an empty list with a comment', 'archives: [] # none', 'archives: # none\n  - a.iso'],
    ['a field without a value', 'archives:  # none', 'archives:  # none\n  - a.iso'],
    ['null', 'archives: ~', 'archives:\n  - a.iso'],
    ['no field at all', 'metadata: {name: edge}', 'metadata: {name: edge}\narchives:\n  - a.iso'],
    ['an empty list on two lines', 'archives: [ # none\n  ]', 'archives: [ # none\n  a.iso]'],
    ['a list on lines in brackets', 'archives: [\n  b.iso # b\n]', 'archives: [\n  b.iso, # b\n  a.iso\n]'],
    ['one with a comma at its end', 'archives: [\n  b.iso,\n]', 'archives: [\n  b.iso,\n  a.iso,\n]'],
  ])('adds to %s', (_, before, after) => {
    expect(edited(`${head}${before}\n`, add('any', 'a.iso'))).toBe(`${head}${after}\n`);
  });

  test.each([
    ['of lines', 'archives: # all\n  - a.iso\n', 'archives: [] # all\n'],
    ['in brackets', 'archives: [a.iso]\n', 'archives: []\n'],
    ['with others before it', 'archives: [b.iso, a.iso]\n', 'archives: [b.iso]\n'],
    ['with others behind it', 'archives: [a.iso, b.iso]\n', 'archives: [b.iso]\n'],
    ['on a line in brackets', 'archives: [\n  a.iso, # a\n  b.iso\n]\n', 'archives: [\n  b.iso\n]\n'],
    ['that is there twice', 'archives:\n  - a.iso\n  - b.iso\n  - a.iso\n', 'archives:\n  - b.iso\n'],
  ])('removes the entry of a list %s', (_, before, after) => {
    expect(edited(`${head}${before}`, remove('a.iso'))).toBe(`${head}${after}`);
  });

  test('edits JSON as JSON', () => {
    const json = `{"apiVersion":"solutions.metalk8s.scality.com/v1alpha1","kind":"SolutionsConfiguration","solutions":[]}`;
    const after = edited(json, add('web', 'a.iso'), add('web', 'b.iso'), want('web', '^1'), add('x', 'c.iso'));
    expect(JSON.parse(after)).toEqual({
      ...JSON.parse(json),
      solutions: [
        { name: 'web', activeVersion: '^1', archives: ['a.iso', 'b.iso'] },
        { name: 'x', archives: ['c.iso'] },
      ],
    });
    const lines = JSON.stringify({ ...JSON.parse(json), solutions: [{ name: 'a', archives: ['a.iso'] }] }, null, 2);
    expect(JSON.parse(edited(lines, add('a', 'b.iso'), want('a', 'none'))).solutions).toEqual([
      { name: 'a', activeVersion: 'none', archives: ['a.iso', 'b.iso'] },
    ]);
  });

  test('keeps the ends of lines, a byte order mark, and a last line without an end', () => {
    const dos = `\ufeff${flat.replaceAll('\n', '\r\n')}`;
    expect(edited(dos, add('any', 'x'))).toBe(dos.replace("b.iso'\r\n", "b.iso'\r\n- 'x'\r\n"));
    const open = `${head}archives:\n  - a.iso`;
    expect(edited(open, add('any', 'b.iso'))).toBe(`${open}\n  - b.iso`);
    expect(edited(open, want('a', 'latest'))).toBe(`${open}\nactive:\n  a: latest`);
  });

  test('begins a configuration of either form', () => {
    const made = (form: 'grouped' | 'flat'): string =>
      new TextDecoder().decode(editConfiguration(newConfiguration(form), add('web', 'web.iso')));
    const start = `${schemaLine('configuration')}\n${head}`;
    expect(made('grouped')).toBe(`${start}solutions:\n  - name: web\n    archives:\n      - web.iso\n`);
    expect(made('flat')).toBe(`${start}archives:\n  - web.iso\n`);
  });

  test.each([
    ['a list that is an alias', `${head}metadata: {x: &a [a.iso]}\narchives: *a\n`, add('any', 'b.iso')],
    [
      'a list that an alias repeats',
      `${head}solutions:\n  - {name: a, archives: &a [a.iso]}\n  - {name: b, archives: *a}\n`,
      add('a', 'b.iso'),
    ],
    ['fields that are merged in', `${head}metadata: {x: &a {web: latest}}\nactive: {<<: *a}\n`, want('web', 'none')],
  ])('refuses to change %s', (_, text, edit) => {
    expect(() => edited(text, edit)).toThrow(FormatError);
    expect(() => edited(text, edit)).toThrow(/change it by hand/);
  });

  test('writes paths that YAML would take for something else in quotes', () => {
    const paths = [
      'yes',
      '1.0',
      '2001-12-14',
      '0x1f',
      'a: b',
      '- a',
      '#a',
      "it's.iso",
      '[a]',
      'a, b',
      '~',
      'é.iso',
      '\u0007',
    ];
    for (const path of paths) {
      for (const text of [
        `${head}archives: [a.iso]\n`,
        `${head}archives:\n  - a.iso\n`,
        `${head}archives: ['a.iso']\n`,
      ]) {
        expect(parseConfiguration(utf8(edited(text, add('any', path)))).groups[0]!.archives).toEqual(['a.iso', path]);
      }
    }
  });
});

/** A list of texts, written in one of the ways that people use. */
const listOf = (items: string[], indent: string): fc.Arbitrary<string> => {
  const quote = fc.constantFrom('', "'", '"');
  if (items.length === 0) return fc.constantFrom(' []', ' [ ]', ' [] # none');
  return fc
    .tuple(quote, fc.constantFrom('lines', 'flat', 'brackets', 'tall'), fc.boolean())
    .map(([mark, way, tells]) => {
      const texts = items.map((one) => `${mark}${one}${mark}`);
      const comment = tells ? '   # kept' : '';
      if (way === 'brackets') return ` [${texts.join(', ')}]${comment}`;
      if (way === 'tall') return ` [${comment}\n${texts.map((one) => `${indent}    ${one},\n`).join('')}${indent}  ]`;
      const lead = way === 'flat' ? indent : `${indent}    `;
      return `${comment}\n${texts.map((one) => `${lead}-  ${one}${comment}\n${tells ? `${lead}# between\n` : ''}`).join('\n')}`.trimEnd();
    });
};

const label = fc.constantFrom('web', 'guestbook', 'db', 'a-b');
const file = fc.constantFrom('a.iso', '/srv/b.iso', 'c d.iso', '../e.iso', 'yes.iso', 'f#g.iso');
const wanted = fc.constantFrom('latest', '1.0.0', '2.0.0-rc.1', '1.0.0+b', '^1.2', '>=1.2 <2', '1.x', '1.0', '*');

const flatText = fc
  .tuple(fc.uniqueArray(file, { maxLength: 4 }), fc.uniqueArray(label, { maxLength: 3 }), wanted, fc.boolean())
  .chain(([files, names, version, isFlow]) =>
    listOf(files, '').map((list) => {
      const pairs = names.map((name) => `${name}: ${JSON.stringify(version)}`);
      const active = isFlow ? ` {${pairs.join(', ')}}` : pairs.map((pair) => `\n   ${pair} # ${pair}`).join('');
      return `# top\n${head}archives:${list}\n\nactive:${active}\n# end\n`;
    }),
  );

const groupedText = fc
  .uniqueArray(label, { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc
          .tuple(fc.uniqueArray(file, { maxLength: 3 }), fc.option(wanted), fc.boolean())
          .chain(([files, version, isLast]) =>
            listOf(files, '    ').map((list) => {
              const active = version === null ? '' : `    activeVersion: ${JSON.stringify(version)}  # why\n`;
              const archives = `    archives:${list}\n`;
              return `  - name: ${name}\n${isLast ? archives + active : active + archives}\n`;
            }),
          ),
      ),
    ),
  )
  .map((groups) => `${head}metadata: {name: edge} # it\nsolutions:\n${groups.join('  # next\n')}# end\n`);

const anyEdit = fc.oneof(
  fc.record({ edit: fc.constant('add' as const), solution: label, entry: file }),
  fc.record({ edit: fc.constant('remove' as const), entry: file }),
  fc.record({ edit: fc.constant('want' as const), solution: label, wanted: fc.oneof(wanted, fc.constant('none')) }),
);

/** What a configuration has to say after an edit. */
function expected(before: ReturnType<typeof parseConfiguration>, edit: ConfigurationEdit): unknown {
  const { groups, active, implicit } = before;
  const holds = groups.some(({ name }) => name === (edit.edit === 'add' ? edit.solution : ''));
  if (edit.edit === 'remove') {
    return {
      ...before,
      groups: groups.map((one) => ({ ...one, archives: one.archives.filter((file) => file !== edit.entry) })),
    };
  }
  if (edit.edit === 'add') {
    const added = groups.map((one) =>
      (implicit && one.name !== edit.solution) || one.archives.includes(edit.entry)
        ? one
        : { ...one, archives: [...one.archives, edit.entry] },
    );
    return {
      ...before,
      groups: implicit && !holds ? [...groups, { name: edit.solution, archives: [edit.entry] }] : added,
    };
  }
  const now = new Map(active);
  if (implicit) {
    const isSaid = active.has(edit.solution) || edit.wanted !== 'latest';
    if (isSaid && groups.some(({ name }) => name === edit.solution)) now.set(edit.solution, edit.wanted);
  } else if (edit.wanted === 'none') now.delete(edit.solution);
  else now.set(edit.solution, edit.wanted);
  // What is deactivated last leaves `active: {}`, which says so.
  const says = before.saysActive || (!implicit && edit.wanted !== 'none');
  return { ...before, active: now, saysActive: says };
}

/** How many lines stayed, in their order: the length of the longest common subsequence. */
function kept(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [at, other] of after.entries())
      next.push(line === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    row = next;
  }
  return row.at(-1)!;
}

describe('any edit of any configuration', () => {
  test('says what was wanted, and leaves all other lines and comments as they were', () => {
    fc.assert(
      fc.property(fc.oneof(flatText, groupedText), anyEdit, (text, edit) => {
        const after = edited(text, edit);
        const before = parseConfiguration(utf8(text));
        expect(parseConfiguration(utf8(after))).toEqual(expected(before, edit));
        // Each list that had the entry loses its line, and the line before it becomes `[]` if that was the only one.
        const lists = before.groups.filter(({ archives }) => edit.edit === 'remove' && archives.includes(edit.entry));
        const places = 2 * Math.max(edit.edit === 'remove' ? 2 : 1, lists.length);
        expect(kept(text.split('\n'), after.split('\n'))).toBeGreaterThanOrEqual(text.split('\n').length - places);
        if (edit.edit !== 'remove') {
          const comments = (source: string): number => source.split('#').length;
          expect(comments(after) - after.split('f#g').length).toBeGreaterThanOrEqual(
            comments(text) - text.split('f#g').length - 1,
          );
        }
      }),
      sampledRuns(1500),
    );
  });

  test('is undone to the byte by the edit the other way round', () => {
    fc.assert(
      fc.property(fc.oneof(flatText, groupedText), label, (text, solution) => {
        const { groups, active, implicit } = parseConfiguration(utf8(text));
        const list = implicit ? groups.find(({ name }) => name === solution) : groups[0];
        if (list && list.archives.length > 0) {
          expect(edited(text, add(solution, 'new.iso'), remove('new.iso'))).toBe(text);
        }
        const version = active.get(solution);
        if (version !== undefined) expect(edited(text, want(solution, '9.9.9'), want(solution, version))).toBe(text);
      }),
      sampledRuns(500),
    );
  });

  test('of damaged text fails with a FormatError, whatever the damage is', () => {
    fc.assert(
      fc.property(
        fc.oneof(flatText, groupedText),
        anyEdit,
        fc.array(
          fc.tuple(
            fc.nat(),
            fc.constantFrom(
              '',
              ' ',
              '\n',
              '&a ',
              '*a',
              '[',
              ']',
              '{',
              '}',
              ': ',
              '- ',
              '? ',
              '!!str ',
              '|',
              "'",
              '"',
              '#',
              ',',
              '\t',
              '---\n',
              '<<: ',
            ),
          ),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        (text, edit, damages) => {
          const damaged = damages.reduce((source, [at, inserted]) => {
            const place = at % source.length;
            return source.slice(0, place) + inserted + source.slice(place + (inserted === '' ? 1 : 0));
          }, text);
          try {
            const after = edited(damaged, edit);
            expect(parseConfiguration(utf8(after))).toEqual(expected(parseConfiguration(utf8(damaged)), edit));
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError);
          }
        },
      ),
      sampledRuns(3000),
    );
  });
});
