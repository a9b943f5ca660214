import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns where this machine has its cgroup hierarchies: with version 1 one folder for each controller, with version 2
 * one for all (cgroups(7)).
 */
export function cgroupMounts(mounts: string = readFileSync('/proc/self/mounts', 'utf8')): string[] {
  return mounts.split('\n').flatMap((line) => {
    const [, path = '', type] = line.split(' ');
    return type === 'cgroup' || type === 'cgroup2' ? [unescaped(path)] : [];
  });
}

/** Decodes a path in proc(5) `mounts`, where a blank is `\040`. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/**
 * Makes the cgroup `name` in every hierarchy, and those above it that its path names. kubelet needs its root to exist,
 * with all controllers.
 */
export function makeCgroup(name: string): void {
  for (const mount of cgroupMounts()) {
    let folder = mount;
    for (const part of name.split('/')) {
      delegateControllers(folder);
      folder = join(folder, part);
      mkdirSync(folder, { recursive: true });
    }
  }
}

/** Gives the children of `folder` its controllers, which only version 2 needs. */
function delegateControllers(folder: string): void {
  if (!existsSync(join(folder, 'cgroup.subtree_control'))) return;
  for (const controller of readFileSync(join(folder, 'cgroup.controllers'), 'utf8').split(/\s+/).filter(Boolean)) {
    try {
      writeFileSync(join(folder, 'cgroup.subtree_control'), `+${controller}`);
    } catch {
      // Some controllers are not available to groups with processes. kubelet reports those that it needs.
    }
  }
}

/** Lists the cgroups at the top of any hierarchy whose names satisfy `wanted`. */
export function listCgroups(wanted: (name: string) => boolean): string[] {
  const names = cgroupMounts().flatMap((mount) => readdirSync(mount).filter(wanted));
  return [...new Set(names)];
}

/**
 * Removes the cgroup `name` and all below it. Its processes must have been killed, which the kernel takes a moment to
 * notice. Throws after ten seconds.
 */
export async function removeCgroup(name: string): Promise<void> {
  for (const mount of cgroupMounts()) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        removeTree(join(mount, name));
        break;
      } catch (error) {
        if (attempt === 200) throw error;
        await sleep(50);
      }
    }
  }
}

/** Removes a tree of cgroupfs: only folders can be removed, and their files go with them. */
function removeTree(folder: string): void {
  let entries: string[];
  try {
    entries = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  for (const entry of entries) removeTree(join(folder, entry));
  rmdirSync(folder);
}
