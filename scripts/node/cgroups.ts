import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where this machine has its cgroup hierarchies: one folder a controller in version 1, one for all in version 2 (cgroups(7)). */
export function cgroupMounts(mounts: string = readFileSync('/proc/self/mounts', 'utf8')): string[] {
  return mounts.split('\n').flatMap((line) => {
    const [, path = '', type] = line.split(' ');
    return type === 'cgroup' || type === 'cgroup2' ? [unescaped(path)] : [];
  });
}

/** The path of a line of proc(5) `mounts`, where a blank is `\040`. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Makes the cgroup `name` in every hierarchy; kubelet wants its root to be there, with all controllers. */
export function makeCgroup(name: string): void {
  for (const mount of cgroupMounts()) {
    delegateControllers(mount);
    mkdirSync(join(mount, name), { recursive: true });
  }
}

/** Lets the children of `folder` have its controllers, which version 2 asks for and version 1 does not know. */
function delegateControllers(folder: string): void {
  if (!existsSync(join(folder, 'cgroup.subtree_control'))) return;
  for (const controller of readFileSync(join(folder, 'cgroup.controllers'), 'utf8').split(/\s+/).filter(Boolean)) {
    try {
      writeFileSync(join(folder, 'cgroup.subtree_control'), `+${controller}`);
    } catch {
      // Some cannot be had where processes run; kubelet says which of them it needs.
    }
  }
}

/** The cgroups at the top of any hierarchy whose names pass `wanted`. */
export function listCgroups(wanted: (name: string) => boolean): string[] {
  const names = cgroupMounts().flatMap((mount) => readdirSync(mount).filter(wanted));
  return [...new Set(names)];
}

/**
 * Removes the cgroup `name` and all below it. The processes in it must have been killed; the kernel needs a moment to
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

/** Removes a folder of cgroupfs: only the folders can be, the files go with them. */
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
