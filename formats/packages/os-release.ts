import { lines } from './lines.ts';

/** The distribution that an image is made of. */
export interface Distribution {
  /** `ID`, such as `debian`. */
  readonly id: string;
  /** `VERSION_ID`; rolling releases have none. */
  readonly version?: string;
  /** `PRETTY_NAME`, for people. */
  readonly title?: string;
}

/** The largest os-release that is read, in bytes. */
export const OS_RELEASE_LIMIT: number = 64 * 1024;

/** Where the file may lie. The first one that exists counts. */
export const osReleasePaths: readonly string[] = ['etc/os-release', 'usr/lib/os-release'];

/**
 * Parses os-release(5). Lines that are no assignments are skipped, as other programs do. Returns undefined if there is
 * no valid `ID`.
 */
export function parseOsRelease(bytes: Uint8Array): Distribution | undefined {
  const values = new Map<string, string>();
  for (const line of lines(new TextDecoder().decode(bytes))) {
    const key = /^(ID|VERSION_ID|PRETTY_NAME)=/.exec(line)?.[1];
    if (key !== undefined) values.set(key, unquoted(line.slice(key.length + 1).trimEnd()));
  }
  const id = values.get('ID');
  if (id === undefined || !/^[a-z0-9._-]{1,64}$/.test(id)) return undefined;
  const version = values.get('VERSION_ID');
  const title = values
    .get('PRETTY_NAME')
    ?.replace(/\p{Cc}/gu, '')
    .slice(0, 256);
  return {
    id,
    ...(version && /^[A-Za-z0-9._-]{1,64}$/.test(version) && { version }),
    ...(title && { title }),
  };
}

/** Removes shell quotes, and the backslashes inside double quotes. */
function unquoted(value: string): string {
  const [, double, single] = /^(?:"(.*)"|'(.*)')$/.exec(value) ?? [];
  return single ?? double?.replace(/\\(["$`\\])/g, '$1') ?? value;
}
