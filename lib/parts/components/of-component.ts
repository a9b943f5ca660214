import { type ErrorCode, SolpackError } from '../../kernel/events/index.ts';

/** What is wrong with a file, where nothing says which component has it. */
const aboutFiles: readonly ErrorCode[] = ['component-invalid', 'file-missing', 'file-unreadable', 'path-escapes'];

/**
 * Does `work` for the component `name`, and names that in errors about its files. Their paths begin with `folder` where
 * that is a temporary one: then they are reported relative to it.
 */
export async function ofComponent<T>(name: string, work: () => Promise<T>, folder?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SolpackError && aboutFiles.includes(error.code) ? named(error, name, folder) : error;
  }
}

function named(error: SolpackError, name: string, folder: string | undefined): SolpackError {
  const { code, subject, position, lineText, hint } = error;
  const words = position
    ? error.message.slice(`${position.file}:${position.line}:${position.column}: `.length)
    : error.message;
  if (subject === name || words.includes(`component ${name}`)) return error;
  const placed = (path: string): string =>
    folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
  return new SolpackError(code, placed(subject), `component ${name}: ${words}`, {
    ...(position ? { position: { ...position, file: placed(position.file) } } : {}),
    ...(lineText === undefined ? {} : { lineText }),
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}
