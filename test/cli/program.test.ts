import { describe, expect, test } from 'vitest';
import { programOf } from '../../cli/program.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';

const ignore = (): void => undefined;
const whole = await programOf(quietIo(), '', ignore);

describe('the command line', () => {
  test('has each command under the name that the command itself has', async () => {
    for (const command of whole.commands) {
      const alone = await programOf(quietIo(), '', ignore, command.name());
      expect(alone.commands.map((one) => one.name())).toEqual([command.name()]);
    }
  });

  test('has all commands where the word that is asked for is none of them', async () => {
    const names = whole.commands.map((one) => one.name());
    for (const word of ['instal', '--help', 'toString', '']) {
      expect((await programOf(quietIo(), '', ignore, word)).commands.map((one) => one.name())).toEqual(names);
    }
  });

  test('makes no command to print the version', async () => {
    for (const word of ['--version', '-V']) expect((await programOf(quietIo(), '', ignore, word)).commands).toEqual([]);
  });

  test('gives a command that is made alone the same options', async () => {
    for (const command of whole.commands) {
      const alone = (await programOf(quietIo(), '', ignore, command.name())).commands[0]!;
      expect(alone.options.map((one) => one.flags)).toEqual(command.options.map((one) => one.flags));
    }
  });
});
