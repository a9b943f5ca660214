import type { Lock } from '../../../formats/solution/lock.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { changedComponent } from './locked-files.ts';

/**
 * Throws `lock-mismatch` unless `now` equals `lock`, with all components that differ and their files, otherwise the
 * SBOM, otherwise what is left. Plain `pack` is what to do about each: it keeps the images that are locked.
 */
export function requireLocked(path: string, lock: Lock | undefined, now: Lock): void {
  const difference = lock ? differenceOf(lock, now) : 'is missing, but --locked was given';
  if (difference === undefined) return;
  const isOfOption = lock !== undefined && lock.metalk8s !== now.metalk8s;
  const hint = isOfOption
    ? 'give the options with which it was packed; or run "solpack pack" without --locked, and commit solution.lock'
    : lock
      ? 'run "solpack pack" without --locked and commit solution.lock, which keeps the locked images; or restore the files'
      : 'pack once without --locked, and commit solution.lock';
  throw new SolpackError('lock-mismatch', path, difference, { hint });
}

function differenceOf(lock: Lock, now: Lock): string | undefined {
  if (lock.root === now.root) return undefined;
  const locked = new Map(lock.components.map((component) => [component.name, component]));
  const components = [
    ...now.components.map((component) => changedComponent(component, locked.get(component.name))),
    ...lock.components
      .filter(({ name }) => !now.components.some((component) => component.name === name))
      .map(({ name }) => `component ${name} is only in the lock`),
  ].filter((change) => change !== undefined);
  if (components.length > 0) return components.join('; ');
  for (const { path, digest } of now.sboms ?? []) {
    const before = lock.sboms?.find((sbom) => sbom.path === path);
    if (before?.digest !== digest) return `the SBOM ${path} is ${digest}, but the lock has ${before?.digest ?? 'none'}`;
  }
  const programs = changedInstaller(lock.installer, now.installer);
  if (programs !== undefined) return programs;
  if (now.metalk8s && !lock.metalk8s) return 'it was packed without --metalk8s, which was given';
  if (lock.metalk8s && !now.metalk8s) return 'it was packed with --metalk8s, which was not given';
  if (lock.created !== now.created) return `its date is ${dateOf(now)}, but the lock has ${dateOf(lock)}`;
  const what = 'solution.toml, or the release of solpack, has changed since it was packed';
  return `${what}: the Solution is ${now.root}, but the lock has ${lock.root}`;
}

/** Tells in words how the installer differs from that of the lock; undefined where it does not. */
function changedInstaller(before: Lock['installer'], now: Lock['installer']): string | undefined {
  if (before === undefined && now === undefined) return undefined;
  if (before === undefined) return 'it has no installer, and --with-installer was given';
  if (now === undefined) return 'it has an installer, and --with-installer was not given';
  const [old, fresh] = [before, now].map((files) => new Map(files.map(({ path, digest }) => [path, digest])));
  const changes = [
    ...[...fresh!].flatMap(([path, digest]) => {
      const locked = old!.get(path);
      if (locked === undefined) return [`${path} is not in the lock`];
      return locked === digest ? [] : [`${path} is ${digest}, but the lock has ${locked}`];
    }),
    ...[...old!.keys()].filter((path) => !fresh!.has(path)).map((path) => `${path} is only in the lock`),
  ];
  return changes.length === 0 ? undefined : changes.join('; ');
}

function dateOf({ created }: Lock): string {
  return new Date(created * 1000).toISOString().replace('.000Z', 'Z');
}
