import { expect, test } from 'vitest';
import { interruptedWords, noteChange } from '../../cli/interrupted.ts';
import { programOf } from '../../cli/program.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';

const NOTHING = 'interrupted; nothing was changed';
const program = await programOf(quietIo(), '', () => undefined);
const names = program.commands.map((command) => command.name());

/** Commands that change nothing, whatever they are asked. */
const readers = [
  'check',
  'doctor',
  'inspect',
  'ls',
  'diff',
  'verify',
  'resolve',
  'status',
  'history',
  'help',
  'explain',
  'docs',
  'schema',
  'completion',
];

test.each(names)('%s, interrupted, says in one sentence what it has left', (name) => {
  const words = interruptedWords([name, 'set', '-o', 'file', '--write']);
  expect(words).toMatch(/^interrupted; [^.]+(\.[a-z]+[^.]+)?$/);
  expect(words === NOTHING).toBe(readers.includes(name));
});

test.each([
  [['install', '--plan', '--kubeconfig', 'k']],
  [['load', 'components.d', '--plan']],
  [['images', 'guestbook']],
  [['render', 'guestbook.iso']],
  [['trust', 'show', '--policy', 'p.toml']],
  [['profile']],
  [['__proto__']],
  [[]],
])('what was only looked at was not changed: %j', (argv) => {
  expect(interruptedWords(argv)).toBe(NOTHING);
});

test('what writes a page for a browser says what became of it', () => {
  for (const name of ['inspect', 'diff', 'status'])
    expect(interruptedWords([name, 'x.iso', '--html', 'x.html'])).toMatch(/the page exists complete or not at all/);
});

test('what changes nothing before it is reported says so, and a run that has left something says what', () => {
  const install = ['install', '-f', 'solutions.yaml', '--kubeconfig', 'k'];
  const words = (hasChanged: boolean, hasApplied: boolean, left?: string): string =>
    interruptedWords(install, { hasChanged, hasApplied, ...(left === undefined ? {} : { left }) });
  expect(words(false, false)).toBe(NOTHING);
  expect(words(true, false)).toMatch(/no cluster was changed; .* the same command does the rest$/);
  expect(words(true, true)).toMatch(/what was done so far stays/);
  expect(words(true, true, 'generation 2 is installed in part')).toBe('interrupted; generation 2 is installed in part');
  expect(interruptedWords(['pack'], { hasChanged: false, hasApplied: false })).not.toBe(NOTHING);
  expect(interruptedWords(['pull'], { hasChanged: false, hasApplied: false, left: 'x.iso.partial stays' })).toBe(
    'interrupted; x.iso.partial stays',
  );
});

test('bytes that are put somewhere, and components, are changes; looking is none', () => {
  const after = (event: Parameters<typeof noteChange>[1], ...argv: string[]): string => {
    const run = { hasChanged: false, hasApplied: false };
    noteChange(run, event, argv);
    if (run.hasApplied) return 'cluster';
    return run.hasChanged ? 'else' : 'none';
  };
  const step = (name: string, ...argv: string[]): string => after({ type: 'step', step: name }, ...argv);
  expect(['verify', 'render', 'check', 'plan', 'ask', 'apply'].filter((name) => step(name) !== 'none')).toEqual([]);
  expect(['edit', 'place', 'load', 'push', 'mirror'].filter((name) => step(name) !== 'else')).toEqual([]);
  expect(['repair', 'uninstall', 'remove', 'hook'].filter((name) => step(name) !== 'cluster')).toEqual([]);
  expect(step('apply', 'install', '--render', 'out')).toBe('else');
  const component = { type: 'component', solution: 'a', version: '1', component: 'b', state: 'pending' } as const;
  expect(after(component)).toBe('cluster');
});

test('pack says what it sent, what it left, or what it continues with', () => {
  const said = (...words: string[]): string => interruptedWords(['pack', ...words]);
  expect(said('-o', '-', '--format', 'tar')).toMatch(/what was sent is not a whole archive/);
  expect(said('-o', 'x.iso')).toMatch(/nothing of the archive was kept/);
  expect(said('-o', 'x.iso', '--resume')).toMatch(/nothing of the archive was written by this run/);
});
