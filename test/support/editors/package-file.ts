import { join } from 'node:path';

/** Returns the path of a file of a package that is installed for tests. */
export function packageFile(name: string, path: string): string {
  return join(import.meta.dirname, '../../../node_modules', name, path);
}
