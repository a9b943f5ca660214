import { stat } from 'node:fs/promises';

/** Whether a path leads to a regular file: what is none may never answer. */
export function isRegular(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
