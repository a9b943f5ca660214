import { posix } from 'node:path';
import type { Sources } from './code.ts';
import { importsOf } from './imports.ts';

/** Folders whose rooms lie beside each other, and which are no rooms themselves. */
const storeys = new Set(['lib', 'lib/flows', 'lib/shared', 'lib/shared/solutions', 'lib/parts', 'lib/kernel']);

/**
 * The doors of lib that each start of the command goes through. They have from a room the one file that they need, since
 * the sources would start three times as slowly if they loaded whole rooms.
 */
const startsWith = new Set(['lib/index.ts', 'lib/command.ts', 'lib/default-flow.ts']);

/**
 * Finds imports that go around the door of a room: from outside, a file of lib imports the `index.ts` of the outermost
 * room that it is not in. An import that waits until it is needed (`import()`) names its file, so that nothing else is
 * loaded.
 */
export function breaches(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => path.startsWith('lib/') && !startsWith.has(path))
    .flatMap(([path, source]) => importsOf(path, source))
    .flatMap(({ from, line, target, late }) => {
      const room = target === undefined || late ? undefined : outermostRoom(from, target);
      if (room === undefined || target === `${room}/index.ts`) return [];
      return [`${from}:${line}: ${target} is behind the door of ${room}`];
    });
}

function outermostRoom(from: string, target: string): string | undefined {
  let room: string | undefined;
  for (let folder = posix.dirname(target); folder.includes('/'); folder = posix.dirname(folder)) {
    if (from.startsWith(`${folder}/`)) break;
    if (folder.startsWith('lib/') && !storeys.has(folder)) room = folder;
  }
  return room;
}
