import { expect, test } from 'vitest';
import { interruptedWords } from '../../cli/interrupted.ts';
import { programOf } from '../../cli/program.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';

const NOTHING = 'interrupted; nothing was changed';
const program = programOf(quietIo(), '', () => undefined);
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
  expect(interruptedWords(['inspect', 'x.iso', '--html', 'x.html'])).toMatch(
    /the page is there as a whole or not at all/,
  );
});

test('pack says what it sent, what it left, or what it goes on with', () => {
  const said = (...words: string[]): string => interruptedWords(['pack', ...words]);
  expect(said('-o', '-', '--format', 'tar')).toMatch(/what was sent is no whole archive/);
  expect(said('-o', 'x.iso')).toMatch(/nothing of the archive was left/);
  expect(said('-o', 'x.iso', '--resume')).toMatch(/stays in FILE\.partial, and the same command goes on with it/);
});
