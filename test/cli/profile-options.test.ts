import { describe, expect, test } from 'vitest';
import { notTaken, profileOptions } from '../../cli/profile-options.ts';
import { programOf } from '../../cli/program.ts';
import { profileFields } from '../../formats/profile/fields.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';

const { commands } = await programOf(quietIo(), '', () => undefined);
const takenBy = (name: string): string[] =>
  profileOptions(commands.find((one) => one.name() === name)!).map(({ option }) => option);

/** What an option may be called that says what a setting says. */
const names = new Set([
  ...Object.keys(profileFields).map((key) =>
    key.replace(/^.*\./, '').replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  ),
  ...commands.flatMap((command) => profileOptions(command).map(({ option }) => option)),
]);

describe('an option that is called as a setting of a profile', () => {
  test.each(commands.map((command) => [command.name(), command] as const))(
    'of %s takes it, or there is a reason',
    (name, command) => {
      const left = notTaken[name] ?? {};
      const open = command.options
        .map((option) => option.attributeName())
        .filter((option) => names.has(option) && !takenBy(name).includes(option));
      expect(open.filter((option) => left['*'] === undefined && left[option] === undefined)).toEqual([]);
    },
  );

  test('has no reason where it takes the setting, or is not there', () => {
    for (const [name, reasons] of Object.entries(notTaken)) {
      for (const option of Object.keys(reasons)) {
        const command = commands.find((one) => one.name() === name);
        const isThere = command?.options.some((one) => one.attributeName() === option);
        if (option === '*') expect(takenBy(name), name).toEqual([]);
        else
          expect([isThere, option === 'key' || !takenBy(name).includes(option)], `${name} ${option}`).toEqual([
            true,
            true,
          ]);
      }
    }
  });

  test('is there for every setting', () => {
    const taken = new Set(commands.flatMap((command) => profileOptions(command).map(({ key }) => key)));
    expect([...taken].sort()).toEqual(Object.keys(profileFields).sort());
  });
});
