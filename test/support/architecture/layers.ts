import type { Sources } from './code.ts';
import { type Import, importsOf } from './imports.ts';

/**
 * What several flows share, each room before those that may use it: Solutions in archives, in registries and in
 * configurations; what they become as objects. Flows use them, and they use no flow.
 */
const shared = ['solutions', 'rendering'];

/** The flows, each before those that may use it: a flow uses those alone that stand before it, also their types. */
const flows = [
  'verify',
  'browse',
  'export',
  'inspect',
  'mount',
  'pack',
  'render',
  'rights',
  'diff',
  'update',
  'describe',
  'delta',
  'pull',
  'push',
  'serve',
  'sign',
  'scan',
  'history',
  'rollback',
  'join-mirror',
  'resolve',
  'status',
  'repair',
  'uninstall',
  'install',
  'load',
  'seed',
  'agent',
  'approval',
  'boot',
  'support-bundle',
  'configure',
  'profile',
  'setup',
  'doctor',
  'overview',
  'init',
  'complete',
  'explain',
];

/** The layer that each folder of lib is, as `reasonAgainst` calls it. */
const storeys: Readonly<Record<string, string>> = { kernel: 'kernel', parts: 'part', shared: 'shared', flows: 'flow' };

/**
 * Node's own modules, and the parsers and ciphers that formats may use: none that reaches a disk, a network or a clock.
 */
const formatsMayUse = [
  'node:buffer',
  'node:crypto',
  'node:util',
  'node:zlib',
  '@iarna/toml',
  '@marcbachmann/cel-js',
  '@noble/ciphers/salsa.js',
  '@noble/curves/nist.js',
  'fflate',
  'semver',
  'yaml',
  'zod',
];

/** Modules that one file of formats and lib loads for all of them, in the one way that is right for it. */
const hadFrom: ReadonlyMap<string, string> = new Map([
  ['node:http', 'lib/kernel/http/node.ts'],
  ['zod', 'formats/schema.ts'],
]);

/** Schemas that no command loads: its docs are made from them. */
const isCliSchema = (path: string): boolean => /^cli\/view\/json(-[a-z]+)?\.ts$/.test(path);

/**
 * The files of lib itself: its doors, and what they share. The door of parts would make the command wait for all of
 * them.
 */
const doors: Readonly<Record<string, string>> = {
  'lib/index.ts': 'library',
  'lib/command.ts': 'library',
  'lib/parts.ts': 'door of parts',
  'lib/types.ts': 'types',
  'lib/default-flow.ts': 'types',
};

/**
 * A place in the house: `formats`, `cli`, or within lib `kernel`, `part x`, `shared x`, `flow x`, or one of the doors.
 */
function placeOf(path: string): { layer: string; name: string } {
  const [top, second, third] = path.split('/');
  if (top !== 'lib') return { layer: top ?? '', name: '' };
  const door = doors[path];
  if (door !== undefined) return { layer: door, name: '' };
  return { layer: storeys[second!] ?? `lib/${second}`, name: second === 'kernel' ? '' : third! };
}

/** What each layer may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  formats: ['formats'],
  kernel: ['kernel', 'formats'],
  part: ['kernel', 'formats'],
  shared: ['shared', 'part', 'kernel', 'formats'],
  flow: ['flow', 'shared', 'part', 'kernel', 'formats'],
  types: ['flow', 'shared', 'part', 'kernel', 'formats'],
  'door of parts': ['types', 'flow', 'shared', 'part', 'kernel', 'formats'],
  library: ['types', 'flow', 'shared', 'part', 'kernel', 'formats'],
  cli: ['cli', 'library'],
};

/** Finds every import that goes against the layers, as `path:line: what is wrong`. */
export function wrongImports(sources: Sources): string[] {
  return [...sources]
    .flatMap(([path, source]) => importsOf(path, source))
    .map((entry) => ({ entry, reason: reasonAgainst(entry) }))
    .filter(({ reason }) => reason !== undefined)
    .map(({ entry, reason }) => `${entry.from}:${entry.line}: ${reason}`);
}

function reasonAgainst({ from, specifier, target, typeOnly }: Import): string | undefined {
  const here = placeOf(from);
  if (target === undefined) {
    const shared = typeOnly ? undefined : hadFrom.get(specifier);
    if (shared !== undefined && from !== shared && !isCliSchema(from)) return `${specifier} is had from ${shared}`;
    if (here.layer !== 'formats' || formatsMayUse.includes(specifier)) return undefined;
    return `formats may not use ${specifier}`;
  }
  const there = placeOf(target);
  if (here.layer === 'flow' && there.layer === 'flow') return reasonAgainstOrder('flow', flows, here.name, there.name);
  if (here.layer === 'shared' && there.layer === 'shared') {
    return reasonAgainstOrder('shared room', shared, here.name, there.name);
  }
  if (mayImport[here.layer]?.includes(there.layer)) return undefined;
  if (here.layer === 'part' && there.layer === 'part') {
    return here.name === there.name ? undefined : `part ${here.name} may not import its sibling ${there.name}`;
  }
  return `${here.layer} may not import ${there.layer} (${specifier})`;
}

function reasonAgainstOrder(what: string, order: readonly string[], here: string, there: string): string | undefined {
  if (here === there) return undefined;
  if (!order.includes(here)) return `${what} ${here} has no place in the order of ${what}s`;
  return order.indexOf(there) < order.indexOf(here) ? undefined : `${what} ${here} may not import ${what} ${there}`;
}
