import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { SolpackError } from './errors.ts';

/** The machine as a flow sees it. */
export interface Host {
  /** Folders that programs are looked for in, in order. */
  readonly path: readonly string[];
  /**
   * The folder of this executable, whose `helm` and `kubectl` come after those of `path`; absent where Node.js runs it.
   */
  readonly beside?: string;
  /** Gives the path of a program that is nowhere on the machine; undefined where it knows nothing of such a program. */
  readonly carried?: (name: string) => Promise<string | undefined>;
  /** A folder for temporary files. */
  readonly temp: string;
}

/** What travels with solpack, and may lie beside it. */
const companions: readonly string[] = ['helm', 'kubectl'];

/**
 * Returns the full path of the program `name`: on PATH, otherwise beside this executable, otherwise as it was carried
 * here. Throws `tool-missing` with `hint`, and what carrying it throws.
 */
export async function findTool(host: Host, name: string, hint: string): Promise<string> {
  const here = await findInstalled(host, name);
  if (here !== undefined) return here;
  const carried = await host.carried?.(name);
  if (carried !== undefined) return carried;
  const isBeside = host.beside !== undefined && companions.includes(name);
  const message = isBeside ? `not found on PATH, nor in ${host.beside}` : 'not found on PATH';
  throw new SolpackError('tool-missing', name, message, { hint });
}

/** Returns the full path of a program that is on the machine already; undefined where there is none. */
export async function findInstalled({ beside, path: folders }: Host, name: string): Promise<string | undefined> {
  const last = beside !== undefined && companions.includes(name) && (await isOwn(beside)) ? [beside] : [];
  for (const folder of [...folders, ...last]) {
    const path = join(folder, name);
    const usable = await fs.access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable && (await fs.stat(path)).isFile()) return path;
  }
  return undefined;
}

/** Whether nobody may write into a folder but its owner, who might change the executable in it as well. */
async function isOwn(folder: string): Promise<boolean> {
  const stats = await fs.stat(folder).catch(() => undefined);
  return stats !== undefined && (stats.mode & 0o022) === 0;
}

/** What Node.js calls architectures, and OCI otherwise (image-spec "Image Index", after GOARCH). */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Returns the platform of this machine in words of OCI: `linux/amd64`. */
export function platformHere(): string {
  return `${process.platform}/${architectures[process.arch] ?? process.arch}`;
}

/** Splits a PATH variable into its folders. */
export function pathFolders(variable: string | undefined): string[] {
  return (variable ?? '').split(delimiter).filter((folder) => folder !== '');
}
