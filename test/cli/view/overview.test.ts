import { describe, expect, test } from 'vitest';
import { nextCommand, overviewView, type ShownOverview } from '../../../cli/view/overview.ts';
import { wrapLine } from '../../../cli/view/wrap.ts';
import { type Overview, SolpackError } from '../../../lib/index.ts';

const plainStyle = { width: 80, bold: String, dim: String, good: String, bad: String };
const profile = { path: '/etc/solpack/profile.toml' } as ShownOverview['profile'];

function shown(found: Partial<Overview>, more: Partial<ShownOverview> = {}): ShownOverview {
  const all: Overview = { kubernetes: 'none', archives: [], unfinished: [], ...found };
  return { found: all, profile: undefined, folder: '/home/me', commands: [], ...more };
}

const shop = { name: 'shop', version: '1.1.0', path: '/media/stick/shop 1.iso', isNew: true };
const there = { name: 'shop', version: '1.1.0', state: 'ready' } as const;
const run = { configuration: 'edge', by: 'install', of: undefined, hasOthers: false } as const;
const definition = { path: '/home/me/solution.toml', name: 'shop', version: '1.1.0' };

describe('the next command', () => {
  test.each<[string, ShownOverview, string]>([
    // It takes no name, but a folder with something to pack in it.
    ['nothing at all', shown({}), 'solpack docs tutorial'],
    ['a definition', shown({ definition }), 'solpack pack . -o shop-1.1.0.iso'],
    ['a definition that is packed', shown({ definition, archives: [shop] }), 'solpack check'],
    ['a definition that cannot be read', shown({ definition: { path: '/home/me/solution.toml' } }), 'solpack check'],
    ['an archive', shown({ archives: [shop] }), "solpack inspect '/media/stick/shop 1.iso'"],
    [
      'an archive that is called as an option is',
      shown({ archives: [{ ...shop, path: '/home/me/--policy=x.iso' }] }),
      'solpack inspect ./--policy=x.iso',
    ],
    ['a node', shown({ kubernetes: 'k3s' }), 'solpack setup'],
    ['a node and a stick', shown({ kubernetes: 'k3s', archives: [shop] }), "solpack setup '/media/stick/shop 1.iso'"],
    [
      'something new',
      shown({ kubernetes: 'k3s', archives: [{ ...shop, path: '/home/me/shop.iso' }], installed: [] }, { profile }),
      'solpack install shop.iso',
    ],
    [
      'nothing new',
      shown({ archives: [{ ...shop, isNew: false }], installed: [there] }, { profile }),
      'solpack status',
    ],
    [
      'an install that was interrupted',
      shown({ archives: [shop], installed: [{ ...there, state: 'interrupted' }], interrupted: run }, { profile }),
      'solpack install',
    ],
    [
      'a rollback that was interrupted',
      shown({ installed: [there], interrupted: { ...run, by: 'rollback', of: 3 } }, { profile }),
      'solpack rollback 3',
    ],
    [
      'a rollback of one configuration of several',
      shown({ installed: [there], interrupted: { ...run, by: 'rollback', of: 3, hasOthers: true } }, { profile }),
      'solpack rollback 3 --name edge',
    ],
    [
      'a removal that was interrupted',
      shown({ installed: [], interrupted: { ...run, by: 'uninstall' } }, { profile }),
      'solpack uninstall SOLUTION',
    ],
    [
      'a load that was interrupted',
      shown({ installed: [there], interrupted: { ...run, by: 'load' } }, { profile }),
      'solpack load FOLDER',
    ],
    [
      'an install that has failed, with nothing new,',
      shown({ archives: [{ ...shop, isNew: false }], installed: [{ ...there, state: 'failed' }] }, { profile }),
      'solpack status',
    ],
    [
      'an install that has failed, with something new,',
      shown({ archives: [shop], installed: [{ ...there, state: 'failed' }] }, { profile }),
      "solpack install '/media/stick/shop 1.iso'",
    ],
    ['a cluster that does not answer', shown({ silent: { error: undefined } }, { profile }), 'solpack doctor'],
    [
      'a profile that is refused',
      shown({}, { profile: new SolpackError('profile-unsafe', 'profile.toml', 'others may write to it') }),
      'solpack doctor',
    ],
    [
      'an archive that was begun',
      shown({ definition, unfinished: [{ path: '/home/me/a.iso', by: 'pack' }] }),
      'solpack pack . -o a.iso --resume',
    ],
    [
      'an archive that was not pulled whole',
      shown({ unfinished: [{ path: '/home/me/a.iso', by: 'pull' }] }),
      'solpack pull REFERENCE -o a.iso',
    ],
  ])('of %s goes on', (_, given, command) => {
    expect(nextCommand(given)).toBe(command);
  });
});

describe('an overview', () => {
  test('has twelve lines at most, whatever there is, and no control character of others', () => {
    const archives = ['a', 'b', 'c'].map((name) => ({
      ...shop,
      name,
      path: `/media/\u001b[2J/somebodys stick with a long name/${name}.iso`,
    }));
    const installed = ['a', 'b', 'c'].map((name) => ({ ...there, name }));
    const unfinished = Array.from({ length: 500 }, (_, at) => ({ path: `/home/me/${at}.iso`, by: 'pack' as const }));
    const commands = Array.from({ length: 5 }, (_, at) => [`command${at}`, 'does something'] as const);
    const lines = overviewView(
      shown({ archives, definition, installed, unfinished }, { profile, commands }),
      plainStyle,
    );
    expect(lines.flatMap((line) => wrapLine(line, 80)).length).toBeLessThanOrEqual(12);
    expect(lines.filter((line) => line.endsWith('…'))).not.toEqual([]);
    expect(lines.join('\n')).not.toContain('\u001b');
    const wide = overviewView(shown({ archives, definition, installed, unfinished }, { profile, commands }), {
      ...plainStyle,
      width: 200,
    });
    expect(wide[0]).toMatch(/^archives +a 1\.1\.0 in .*, and 1 more$/);
    expect(lines.find((line) => line.startsWith('unfinished'))).toMatch(/ 0\.iso, 1\.iso, and 498 more$/);
    expect(lines.find((line) => line.startsWith('installed'))).toMatch(
      /a 1\.1\.0 is ready, b 1\.1\.0 is ready, and 1 more$/,
    );
  });
});
