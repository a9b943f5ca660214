import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeNotes } from '../../cli/help/notes.ts';
import { pageOf } from '../../cli/help/page.ts';
import { exampleLines, helpText } from '../../cli/help/text.ts';
import { programOf } from '../../cli/program.ts';
import { styleFor } from '../../cli/view/style.ts';
import { columnsOf, cutTo, wrap, wrapLine } from '../../cli/view/wrap.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { judged, scratch } from '../support/judges.ts';
import { shellTerminal } from '../support/shell-terminal.ts';
import { archive, entry } from '../support/tar.ts';

const folder = scratch('help');
const program = await programOf(quietIo(), '', () => undefined);
const pages = [program, ...program.commands].map((command) => pageOf(command, command.createHelp()));

describe('help', () => {
  test.each([40, 60, 80, 100, 200])('of every command fits %i columns where words allow that', (columns) => {
    for (const page of pages) {
      for (const line of helpText(page, columns).split('\n')) {
        const isOneWord = !line.trim().replace(/ \\$/, '').replace(/^\$ /, '').includes(' ');
        const isFile = page.sections.some((one) => 'verbatim' in one && one.verbatim.includes(line.slice(2)));
        // A word between quotes is one, and a term stands in a line of its own.
        if (isOneWord || isFile || /['<[]/.test(line)) continue;
        expect(line.length, `${page.name}: ${line}`).toBeLessThanOrEqual(Math.min(columns, 100));
      }
    }
  });

  test('of no command has files or lines of code that are wider than 80 columns', () => {
    const files = pages.flatMap(({ sections }) => sections.flatMap((one) => ('verbatim' in one ? one.verbatim : [])));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((line) => line.length > 78)).toEqual([]);
  });

  test('lists the actions of a command that has some in a table, before its options', () => {
    const { sections, description } = pages.find((page) => page.name === 'solpack trust')!;
    const actions = sections.find(({ title }) => title === 'Actions:');
    const terms = actions && 'terms' in actions ? actions.terms.map(({ term }) => term) : [];
    expect(terms).toEqual(['sign FILE', 'accept FILE', 'show', 'mend FILE']);
    expect(sections.map(({ title }) => title).indexOf('Actions:')).toBe(1);
    // Words that are set apart by more than one space would flow together.
    for (const page of pages) expect(page.description, page.name).not.toMatch(/\S {2,}\S/);
    expect(description).not.toContain('FILE.sigstore.jsonl');
  });

  test('lists commands, and flags of install, in groups', () => {
    const titles = (name: string): string[] =>
      pages.find((page) => page.name === name)!.sections.map((section) => section.title);
    expect(titles('solpack')).toEqual([
      'Every day:',
      'Make:',
      'Look:',
      'Trust:',
      'Move:',
      'Install:',
      'Day two:',
      'Help:',
      'Options:',
    ]);
    expect(titles('solpack install').slice(0, 8)).toEqual([
      'Arguments:',
      'What:',
      'Trust:',
      'Bounds:',
      'Images:',
      'Cluster:',
      'Registry:',
      'Output:',
    ]);
  });

  test('takes what stands behind the options, whole', () => {
    const command = new Command('x').addHelpText(
      'after',
      '\nEnvironment:\n  A  one\n  LONG, LONGER\n         two\n\nOf several.\nAll.\n\nA file:\n  a: 1\n    b: 2\n\nExamples:\n  $ x "a  b" \\\n      --c\n  $ y',
    );
    takeNotes(command);
    expect(pageOf(command, command.createHelp()).sections.filter(({ title }) => title !== 'Options:')).toEqual([
      {
        title: 'Environment:',
        terms: [
          { term: 'A', text: 'one' },
          { term: 'LONG, LONGER', text: 'two' },
        ],
      },
      { title: '', text: 'Of several. All.' },
      { title: 'A file:', verbatim: ['a: 1', '  b: 2'] },
      { title: 'Examples:', examples: ['x "a  b" --c', 'y'] },
    ]);
  });

  test('has what is said about a command line below it where it does not fit beside, as a comment for a shell', () => {
    expect(exampleLines('x # short', 40)).toEqual(['  $ x # short']);
    expect(exampleLines('x --one ONE --two TWO # and all that is to be said', 32)).toEqual([
      '  $ x --one ONE --two TWO',
      '      # and all that is to be',
      '      # said',
    ]);
    expect(exampleLines("x '# no comment' --one ONE", 24)).toEqual(["  $ x '# no comment' \\", '      --one ONE']);
  });

  test('follows COLUMNS', async () => {
    const narrow = await succeeds(['keygen', '--help'], { env: { COLUMNS: '40' } });
    expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(await succeeds(['keygen', '--help'], { env: { COLUMNS: 'many' } })).toBe(
      await succeeds(['keygen', '--help']),
    );
  });
});

describe('the habits of other tools', () => {
  const said = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await solpack(args);
    expect([code, stdout]).toEqual([2, '']);
    return stderr;
  };

  test('find help and version where those have them', async () => {
    const version = await succeeds(['--version']);
    expect([await succeeds(['version']), await succeeds(['-v'])]).toEqual([version, version]);
    expect(await succeeds(['help'])).toBe(await succeeds(['--help']));
    expect(await succeeds(['help', 'pack'])).toBe(await succeeds(['pack', '--help']));
    expect(JSON.parse(await succeeds(['help', 'pack', '--json'])).command).toBe('pack');
    expect(await said('help', 'instal')).toContain('did you mean install?');
    expect(await said('help', 'nothing')).toContain('"solpack help" lists them');
  });

  test.each([
    [['apply', '-f', 'x.yaml'], 'solpack install ARCHIVE'],
    [['upgrade', 'shop'], 'solpack install ARCHIVE'],
    [['delete', 'shop'], 'solpack uninstall'],
    [['list'], 'solpack status'],
    [['install', 'x.iso', '--dry-run'], '"solpack install --plan" prints what it would do'],
    [['verify', 'x.iso', '--yes'], '"solpack verify" asks for no confirmation'],
    [['uninstall', 'shop', '--yes'], '--allow-removal NAME agrees to what goes for good'],
    [['pack', '.', '--dry-run'], '"solpack check" finds what is wrong, and writes nothing'],
    [['help', 'apply'], 'apply: is no command; "solpack install ARCHIVE"'],
    [['upgrade', '--help'], 'upgrade: is no command; "solpack install ARCHIVE"'],
    [['plan', '-h'], '"solpack install --plan"'],
    [['--profile', 'p.toml', 'status'], 'options of a command follow it: solpack status --profile <file>'],
    [['-f', 'x', 'install'], 'options of a command follow it: solpack install --configuration <file>'],
  ])('lead to what is meant: %j', async (args, meant) => {
    expect(await said(...args)).toContain(meant);
  });

  test('name no command that there is not, and none that there is', () => {
    const names = program.commands.map((one) => one.name());
    const source = readFileSync(join(import.meta.dirname, '../../cli/habits.ts'), 'utf8');
    const meant = [...source.matchAll(/"solpack ([a-z][a-z-]*)/g)].map(([, name]) => name!);
    expect(meant.filter((name) => !names.includes(name))).toEqual([]);
    for (const word of ['apply', 'delete', 'list', 'version']) expect(names).not.toContain(word);
  });
});

describe('an option that is missing', () => {
  test('hides none that is misspelt, nor a word behind --', async () => {
    const misspelt = await solpack(['pack', 'good', '--outptu', 'x.iso']);
    expect(misspelt.stderr).toContain("unknown option '--outptu'; did you mean --output?");
    const behind = await solpack(['pack', '--', '--outptu']);
    expect(behind.stderr).toContain("required option '-o, --output <file>' not specified");
  });

  test('and that a profile may say leads to the command that writes one', async () => {
    const install = await solpack(['install', 'x.iso', '--no-profile']);
    expect([install.code, install.stderr]).toEqual([
      2,
      expect.stringContaining(
        'not specified; a profile has this setting, and "solpack setup" writes one; "solpack install --help"',
      ),
    ]);
    expect((await solpack(['help', 'a', 'b'])).stderr).toContain('got 2: a, b; "solpack help --help"');
  });
});

describe('a line that is broken', () => {
  test('has all of its words, in lines that are no wider unless one word is', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '字', 'é'), minLength: 1, maxLength: 30 }));
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 60 }), (some, columns) => {
        const lines = wrap(some.join(' '), columns);
        expect(lines.join(' ')).toBe(some.join(' '));
        for (const line of lines) expect(columnsOf(line) <= columns || !line.includes(' ')).toBe(true);
      }),
    );
  });

  test('goes on below its beginning, and counts neither colours nor half a wide character', () => {
    expect(wrapLine('  one two three', 11)).toEqual(['  one two', '     three']);
    expect(wrapLine('short', 80)).toEqual(['short']);
    expect(columnsOf('\u001b[1m字e\u0301\u001b[22m')).toBe(3);
    expect([cutTo('字字字', 5), cutTo('字字字', 6), cutTo('字字字', 5, '...')]).toEqual(['字字…', '字字字', '字...']);
  });
});

describe('what is meant', () => {
  test('is told of a Solution in a configuration, and of a path in an archive', async () => {
    writeFiles(folder, {
      'any.tar': archive(entry('components/web/pod.yaml')),
      'solutions.yaml':
        'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nsolutions: [{name: guestbook, archives: []}]\n',
    });
    const said = async (...args: string[]): Promise<string> => (await solpack(args, { cwd: folder })).stderr;
    expect(await said('activate', 'gestbook', '-f', 'solutions.yaml')).toMatch(
      /did you mean guestbook\? \[version-absent\]/,
    );
    expect(await said('ls', 'any.tar', 'components/wbe')).toMatch(/did you mean "components\/web"\?/);
    expect(await said('ls', 'any.tar', 'elsewhere/web')).toMatch(/"solpack ls .*any\.tar" lists what is/);
  });

  test.each([
    [['pakc'], /Did you mean pack\?/],
    [['pack', '-o', 'a.iso', '--formt', 'iso'], /did you mean --format\?/],
    [['pack', '-o', 'a.iso', '--format', 'izo'], /--format: "izo" is none of iso, tar; did you mean iso\?/],
    [['trust', 'shwo'], /action: "shwo" is none of .*; did you mean show\?/],
    [['completion', 'fisch'], /did you mean fish\?/],
    [['explain', 'registry-deny'], /did you mean registry-denied\?/],
    [['keygen', '-o', 'k', '--type', 'quantum'], /"quantum" is none of .*; write one of them/],
  ])('is reported: %j', async (args, told) => {
    const { code, stderr } = await solpack(args, { cwd: folder });
    expect(stderr).toMatch(told);
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
  });
});

describe('colours and progress', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('follow what the environment says: on a terminal (%j) with %j coloured is %j', (isTTY, env, coloured) => {
    expect(styleFor({ isTTY } as never, env).bold('x') !== 'x').toBe(coloured);
  });

  test('are lines, or nothing, as SOLPACK_PROGRESS and the flags say', async () => {
    const said = async (flags: string[], style: string): Promise<string> => {
      const { stderr } = await solpack(['init', ...flags, folder], { env: { SOLPACK_PROGRESS: style } });
      return stderr.split('\n').filter((line) => line.startsWith('look') || line.startsWith('{'))[0] ?? '';
    };
    expect(await said([], '')).toMatch(/^look /);
    expect(await said([], 'json')).toMatch(/^\{/);
    expect(await said([], 'none')).toBe('');
    expect(await said(['--no-progress'], 'lines')).toBe('');
    expect(await said(['--progress', 'lines'], 'none')).toMatch(/^look /);
    const { code, stderr } = await solpack(['init', folder], { env: { SOLPACK_PROGRESS: 'loud' } });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/SOLPACK_PROGRESS: "loud" is not a style/)]);
  });
});

describe('on a terminal', () => {
  judged('of 40 columns, help, results and errors break between words', ['tmux', 'bash'], async () => {
    await using shell = await shellTerminal('bash', `${folder}/narrow`, folder, { columns: 40, lines: 60 });
    await shell.type('solpack explain trust-required; solpack inspect nowhere.iso; echo end');
    await shell.press('Enter');
    const shown = await shell.shows((screen) => /^end$/m.test(screen));
    expect(shown).toContain(
      [
        'trust-required  an error; the command',
        '    ends with 3',
        '  Neither keys nor a policy say whom to',
        '      trust.',
        '  Say whom to trust: `--key',
        '      release.pub`, or `--policy',
        '      trust.toml`.',
      ].join('\n'),
    );
    expect(shown).toMatch(/^ {4}.*\[file-missing\]$/m);
  });
});
