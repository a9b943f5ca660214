import { join } from 'node:path';
import {
  type InstallerPlatform,
  type InstallerProgram,
  installerFolder,
  installerPlatforms,
  isInstallerPlatform,
} from '../../../formats/solution/installer.ts';
import { type Flow, findTool, platformHere, SolpackError } from '../../kernel/events/index.ts';
import { isFolder, isThere } from '../../kernel/machine/index.ts';

/** Which programs to put into an archive, and where they are. Paths are absolute. */
export interface InstallerRequest {
  /**
   * In words of OCI (`linux/amd64`); undefined: those that `folder` has programs for, otherwise that of this machine.
   */
  readonly platforms: readonly string[] | undefined;
  /** Has programs in folders such as `linux-amd64`, and public keys; undefined where there is none. */
  readonly folder: string | undefined;
  /** solpack as one executable for this machine; undefined where it does not run as one. */
  readonly executable: string | undefined;
}

/** What `npm run build:bin` calls solpack, by platform. */
const built: Readonly<Record<InstallerPlatform, string>> = {
  'linux/amd64': 'solpack-linux-x64',
  'linux/arm64': 'solpack-linux-arm64',
};

/** Returns the platforms of an installer, each once, in their order. Throws `usage-invalid`, `file-missing`. */
export async function platformsOf({ platforms, folder }: InstallerRequest): Promise<InstallerPlatform[]> {
  if (folder !== undefined && !(await isFolder(folder))) {
    throw new SolpackError('file-missing', folder, 'there is no such folder', {
      hint: 'name the folder that has linux-amd64/solpack, linux-amd64/helm and linux-amd64/kubectl',
    });
  }
  const wanted = platforms ?? (folder === undefined ? [platformHere()] : await platformsIn(folder));
  for (const platform of wanted) {
    if (!isInstallerPlatform(platform)) throw unknownPlatform(platform, platforms !== undefined);
  }
  return installerPlatforms.filter((platform) => wanted.includes(platform));
}

/** The platforms that a folder has anything for; that of this machine where it has nothing at all. */
async function platformsIn(folder: string): Promise<string[]> {
  const found: InstallerPlatform[] = [];
  for (const platform of installerPlatforms) {
    const places = [installerFolder(platform), built[platform]].map((name) => isThere(join(folder, name)));
    if ((await Promise.all(places)).includes(true)) found.push(platform);
  }
  return found.length === 0 ? [platformHere()] : found;
}

function unknownPlatform(platform: string, isGiven: boolean): SolpackError {
  const known = installerPlatforms.join(' or ');
  const message = isGiven
    ? `${JSON.stringify(platform)} is not a platform that solpack is made for`
    : `this machine is ${platform}, which solpack is not made for as one executable`;
  return new SolpackError('usage-invalid', '--with-installer', message, {
    hint: isGiven ? `write ${known}, with a comma between two` : `name ${known}, and a folder with --installer-from`,
  });
}

/**
 * Returns the path of a program for a platform: that of the folder, otherwise, for the platform of this machine, what
 * is here. Throws `file-missing`, `tool-missing`.
 */
export async function findProgram(
  { folder, executable }: InstallerRequest,
  platform: InstallerPlatform,
  program: InstallerProgram,
  flow: Flow,
): Promise<string> {
  const own = join(installerFolder(platform), program);
  const names = program === 'solpack' ? [own, built[platform]] : [own];
  for (const name of folder === undefined ? [] : names) {
    if (await isThere(join(folder!, name))) return join(folder!, name);
  }
  if (platform !== platformHere()) throw missing(own, folder, `needed for ${platform}`);
  if (program !== 'solpack') {
    return findTool(flow.host, program, `install it, or put ${own} into the folder of --installer-from`);
  }
  if (executable !== undefined) return executable;
  throw missing(own, folder, 'this solpack is not a single executable that an archive could include');
}

function missing(name: string, folder: string | undefined, why: string): SolpackError {
  const [subject, hint] =
    folder === undefined
      ? [name, `name a folder that has ${name} with --installer-from`]
      : [join(folder, name), 'put it there'];
  return new SolpackError('file-missing', subject, `there is no such file, and ${why}`, { hint });
}
