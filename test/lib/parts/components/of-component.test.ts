import { describe, expect, test } from 'vitest';
import { SolpackError } from '../../../../lib/kernel/events/errors.ts';
import { ofComponent } from '../../../../lib/parts/components/of-component.ts';

const failing = (error: Error): Promise<unknown> =>
  ofComponent('web', () => Promise.reject(error), '/tmp/unpacked').catch((reason: unknown) => reason);

describe('an error about a file of a component', () => {
  test('names the component, and keeps code, place, line and hint', async () => {
    const position = { file: '/srv/a.yaml', line: 3, column: 1, length: 2 };
    const details = { position, lineText: 'a: [', hint: 'correct it' };
    const error = await failing(new SolpackError('component-invalid', '/srv/a.yaml', 'is damaged', details));
    expect(error).toMatchObject({
      code: 'component-invalid',
      subject: '/srv/a.yaml',
      message: '/srv/a.yaml:3:1: component web: is damaged',
      summary: '/srv/a.yaml:3:1: component web: is damaged',
      ...details,
    });
  });

  test('tells a path in a folder that is gone soon as the component has it', async () => {
    const position = { file: '/tmp/unpacked/k/a.yaml', line: 1, column: 1, length: 1 };
    const error = await failing(new SolpackError('component-invalid', '/tmp/unpacked/k/a.yaml', 'is', { position }));
    expect(error).toMatchObject({ subject: 'k/a.yaml', summary: 'k/a.yaml:1:1: component web: is' });
    const other = await failing(new SolpackError('file-missing', '/tmp/unpacked-2/a', 'is not there'));
    expect(other).toMatchObject({ summary: '/tmp/unpacked-2/a: component web: is not there' });
  });

  test.each([
    new SolpackError('component-invalid', 'web', 'is damaged'),
    new SolpackError('component-invalid', '/srv/a', 'component web has no objects'),
    new SolpackError('tool-missing', 'helm', 'not found on PATH'),
    new TypeError('a fault'),
  ])('stays as it is where it names the component, or is about something else: %s', async (error) => {
    expect(await failing(error)).toBe(error);
  });
});
