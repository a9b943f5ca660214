/**
 * The platforms that an installer may be for, in words of OCI, with the machine that their programs are for (ELF,
 * `e_machine`).
 */
const machines = { 'linux/amd64': 62, 'linux/arm64': 183 } as const;

/** A platform that an installer may be for. */
export type InstallerPlatform = keyof typeof machines;

/** The platforms that an installer may be for, in their order. */
export const installerPlatforms = Object.keys(machines) as readonly InstallerPlatform[];

/** The programs that an installer has for each platform, in their order. */
export const installerPrograms = ['solpack', 'helm', 'kubectl'] as const;

/** A program of an installer. */
export type InstallerProgram = (typeof installerPrograms)[number];

/** What a file of an installer is. */
export type InstallerFile =
  | { readonly kind: 'program'; readonly platform: InstallerPlatform; readonly program: InstallerProgram }
  /** A public key, in PEM. */
  | { readonly kind: 'key' };

/** Names the folder that has the programs for a platform. */
export function installerFolder(platform: InstallerPlatform): string {
  return platform.replace('/', '-');
}

/** Returns the path that a program has in an archive: `bin/linux-amd64/helm`. */
export function programPath(platform: InstallerPlatform, program: InstallerProgram): string {
  return `bin/${installerFolder(platform)}/${program}`;
}

const files: ReadonlyMap<string, InstallerFile> = new Map(
  installerPlatforms.flatMap((platform) =>
    installerPrograms.map(
      (program) => [programPath(platform, program), { kind: 'program', platform, program }] as const,
    ),
  ),
);

/** Returns what the file at a path of an archive is; undefined where no installer has such a file. */
export function installerFileOf(path: string): InstallerFile | undefined {
  return files.get(path) ?? (/^bin\/[a-z0-9][a-z0-9._-]{0,62}\.pub$/.test(path) ? { kind: 'key' } : undefined);
}

/** Returns whether `value` is a platform that an installer may be for. */
export function isInstallerPlatform(value: string): value is InstallerPlatform {
  return Object.hasOwn(machines, value);
}

/** How many bytes at the beginning of a program say what it is. */
export const PROGRAM_HEAD = 64;

const kinds: ReadonlyMap<number, string> = new Map([
  [1, 'an object file'],
  [4, 'a core dump'],
]);

/**
 * Tells in words why a file that begins with `head` is not a program for a platform; undefined where it is one. It has
 * to be an ELF file of 64 bits, its bytes in the order of that machine, that can be executed (System V ABI, "ELF
 * Header").
 */
export function programFault(head: Uint8Array, platform: InstallerPlatform): string | undefined {
  if (head.length === 0) return 'is empty';
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (bytes.toString('latin1', 0, 4) !== '\x7fELF') return 'is not an ELF program';
  if (bytes.length < PROGRAM_HEAD) return 'ends within the header of an ELF program';
  if (bytes[4] !== 2 || bytes[5] !== 1 || bytes[6] !== 1) return 'is not an ELF program of 64 bits, lowest byte first';
  const type = bytes.readUInt16LE(16);
  if (type !== 2 && type !== 3) return `is ${kinds.get(type) ?? `an ELF file of type ${type}`}, and no program`;
  if (bytes.readBigUInt64LE(24) === 0n) return 'is an ELF file that cannot be executed: it has no entry point';
  const machine = bytes.readUInt16LE(18);
  if (machine === machines[platform]) return undefined;
  const other = installerPlatforms.find((one) => machines[one] === machine);
  return `is a program for ${other ?? `another machine (${machine})`}, not for ${platform}`;
}
