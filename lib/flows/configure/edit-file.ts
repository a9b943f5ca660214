import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseConfiguration, type SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { type ConfigurationEdit, editConfiguration } from '../../../formats/solution/configuration-edit.ts';
import { codeOf, type Flow, lend, refused, SolpackError, unwritable } from '../../kernel/events/index.ts';
import { alone, holdFolder, keepSchema, ownPath, readFile, writeIn } from '../../kernel/files/index.ts';

/** What became of the file of a configuration. */
interface Done {
  readonly changed: boolean;
  /** Whether there was none before. */
  readonly created: boolean;
  /** What the file says then. */
  readonly bytes: Uint8Array;
}

/** How a configuration is edited. */
export interface EditOptions {
  /** The bytes to begin with where there is no file. */
  readonly absent?: Uint8Array;
  /** Whether nothing is written. */
  readonly isDry?: boolean;
  /** Whether the folder of a file that is made is made too. */
  readonly makesFolder?: boolean;
}

/** What is to be done to a configuration, and which files it changed. */
export interface FileEdits<T> {
  /** In their order; none leaves the file as it is. */
  readonly edits: readonly ConfigurationEdit[];
  /** Reported before anything is written. */
  readonly notices: readonly { readonly subject: string; readonly message: string }[];
  /** Says what was done; `after` is what the configuration says then. */
  result(after: SolutionsConfiguration, done: Done): T;
}

/**
 * Edits the SolutionsConfiguration in the file `path`: `decide` looks at what it says, and returns what to change.
 * Where somebody else has changed it meanwhile, that is asked again; so no edit is lost, and no lock is held while
 * archives are read. The file is replaced as a whole, durably, and keeps its mode and owner; a symbolic link stays, and
 * what it leads to is edited. `absent` are the bytes to begin with where there is no file; left out, that is
 * `file-missing`. Throws `configuration-invalid`, `file-missing`, `file-unreadable`, `output-unwritable`, `disk-full`.
 */
export async function editFile<T>(
  path: string,
  flow: Flow,
  decide: (configuration: SolutionsConfiguration) => Promise<FileEdits<T>>,
  { absent, isDry = false, makesFolder = false }: EditOptions = {},
): Promise<T> {
  const reported = new Set<string>();
  for (;;) {
    flow.signal.throwIfAborted();
    const file = await ownPath(path);
    const found = await readIfThere(file, path);
    const before = found ?? absent;
    if (before === undefined) throw missing(path);
    const { edits, notices, result } = await decide(await parsed(path, before));
    const after = await refused('configuration-invalid', path, () => edits.reduce(editConfiguration, before), HINT);
    const changed = Buffer.compare(before, after) !== 0;
    const outcome = result(await parsed(path, after), {
      changed,
      created: changed && found === undefined,
      bytes: after,
    });
    for (const { subject, message } of notices) {
      if (!reported.has(`${subject}: ${message}`)) flow.onEvent({ type: 'notice', subject, message });
      reported.add(`${subject}: ${message}`);
    }
    if (!changed || isDry) return outcome;
    flow.onEvent({ type: 'step', step: 'edit', subject: path });
    if (makesFolder && found === undefined) await makeFolderOf(path, file);
    const isDone = await replace(file, path, found, after).catch((error: unknown) => {
      throw aboutFile(path, error);
    });
    if (!isDone) continue;
    await keepSchema(file, after, flow);
    return outcome;
  }
}

const HINT = '"solpack docs format" shows both forms';

function parsed(path: string, bytes: Uint8Array): Promise<SolutionsConfiguration> {
  return refused('configuration-invalid', path, () => parseConfiguration(bytes), HINT);
}

async function makeFolderOf(path: string, file: string): Promise<void> {
  try {
    await (await holdFolder(dirname(file), true)).close();
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Names the configuration, and not the lock beside it, where nothing can be written there. A lock that somebody holds
 * is named.
 */
function aboutFile(path: string, error: unknown): unknown {
  const isSystem = error instanceof SolpackError && codeOf(error.cause) !== undefined;
  return isSystem ? unwritable(path, error.cause) : error;
}

/** Replaces a file, unless it is another one by now than `before`: then it returns false. */
async function replace(
  file: string,
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
): Promise<boolean> {
  return alone(join(dirname(file), `.${basename(file)}.lock`), async () => {
    const now = (await ownPath(path)) === file ? await readIfThere(file, path) : undefined;
    if (before === undefined ? now !== undefined : now === undefined || Buffer.compare(now, before) !== 0) return false;
    const mode = before === undefined ? undefined : await fs.stat(file);
    await lend(await holdFolder(dirname(file)), (folder) => writeIn(folder, basename(file), after, mode));
    return true;
  });
}

async function readIfThere(file: string, path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    if (error.code === 'file-missing') return undefined;
    throw file === path
      ? error
      : new SolpackError(error.code, path, error.message, { cause: error, hint: error.hint! });
  }
}

function missing(path: string): SolpackError {
  return new SolpackError('file-missing', path, 'there is no such SolutionsConfiguration', {
    hint: 'check the path; "solpack import" makes one',
  });
}
