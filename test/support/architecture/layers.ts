import type { Sources } from './code.ts';
import { type Import, importsOf } from './imports.ts';

const families = [
  'archives',
  'clusters',
  'components',
  'images',
  'mirrors',
  'node-images',
  'registries',
  'registry-server',
  'sbom',
  'sources',
  'trust',
];

/**
 * What several flows share, each room before those that may use it: Solutions in archives, in registries and in configurations;
 * what they become as objects. Flows use them, and they use no flow.
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
  'pull',
  'push',
  'serve',
  'sign',
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

/** Folders of the kernel; its other modules lie in lib itself. */
const kernelFolders = ['http', 'plan', 'workers'];

/** Node's own modules, and the parsers and ciphers that formats may use: none that reaches a disk, a network or a clock. */
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
  ['node:http', 'lib/http/node.ts'],
  ['zod', 'formats/schema.ts'],
]);

/** Schemas that no command loads: its docs are made from them. */
const isCliSchema = (path: string): boolean => /^cli\/view\/json(-[a-z]+)?\.ts$/.test(path);

/** A place in the house: `formats`, `cli`, or within lib `kernel`, `family x`, `flow x`, `library` (its index). */
function placeOf(path: string): { layer: string; name: string } {
  const [top, second, third] = path.split('/');
  if (top !== 'lib') return { layer: top ?? '', name: '' };
  if (third === undefined) return { layer: second === 'index.ts' ? 'library' : 'kernel', name: '' };
  if (kernelFolders.includes(second!)) return { layer: 'kernel', name: '' };
  if (shared.includes(second!)) return { layer: 'shared', name: second! };
  return { layer: families.includes(second!) ? 'family' : 'flow', name: second! };
}

/** What each layer may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  formats: ['formats'],
  kernel: ['kernel', 'formats'],
  family: ['kernel', 'formats'],
  shared: ['shared', 'family', 'kernel', 'formats'],
  flow: ['flow', 'shared', 'family', 'kernel', 'formats'],
  library: ['flow', 'shared', 'family', 'kernel', 'formats'],
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
  if (here.layer === 'family' && there.layer === 'family') {
    return here.name === there.name ? undefined : `family ${here.name} may not import its sibling ${there.name}`;
  }
  return `${here.layer} may not import ${there.layer} (${specifier})`;
}

function reasonAgainstOrder(what: string, order: readonly string[], here: string, there: string): string | undefined {
  if (here === there) return undefined;
  if (!order.includes(here)) return `${what} ${here} has no place in the order of ${what}s`;
  return order.indexOf(there) < order.indexOf(here) ? undefined : `${what} ${here} may not import ${what} ${there}`;
}
