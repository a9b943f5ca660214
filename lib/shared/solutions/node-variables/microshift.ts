import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { byteOrder } from '../../../../formats/bytes.ts';
import {
  type MicroshiftFile,
  type MicroshiftVariable,
  microshiftDefaults,
  microshiftSettings,
  parseMicroshift,
} from '../../../../formats/microshift/configuration.ts';
import { codeOf, type Flow, refused, SolpackError, unreadable } from '../../../kernel/events/index.ts';
import { readFile } from '../../../kernel/files/index.ts';
import type { SourcedValue } from '../../../parts/clusters/index.ts';

/** Where MicroShift has its configuration. */
export const MICROSHIFT_FOLDER = '/etc/microshift';

/** By variables of the plugin convention, without `MICROSHIFT_`. */
type SourcedVariables = Readonly<Partial<Record<MicroshiftVariable, SourcedValue>>>;

/** What MicroShift's configuration reports a node. */
export interface MicroshiftVariables {
  readonly said: SourcedVariables;
  /** What MicroShift takes where nobody says anything; nothing where it has no configuration here. */
  readonly defaults: SourcedVariables;
}

/**
 * Reads MicroShift's configuration: `config.yaml`, and over that the drop-ins `config.d/*.yaml` in the order of their
 * names. Nothing is reported if there are none of these; a notice names one that this user may not read. Throws
 * `configuration-invalid` with line and column, and what reading throws.
 */
export async function readMicroshiftVariables(
  flow: Flow,
  folder: string = MICROSHIFT_FOLDER,
): Promise<MicroshiftVariables> {
  const files: MicroshiftFile[] = [];
  for (const path of [join(folder, 'config.yaml'), ...(await dropIns(join(folder, 'config.d')))]) {
    const bytes = await bytesOf(path, flow);
    if (bytes === undefined) continue;
    files.push(await refused('configuration-invalid', path, () => parseMicroshift(path, bytes), HINT));
  }
  if (files.length === 0) return { said: {}, defaults: {} };
  const sourced = <T>(
    values: Readonly<Partial<Record<MicroshiftVariable, T>>>,
    of: (value: T) => SourcedValue,
  ): SourcedVariables => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value)]));
  return {
    said: sourced(microshiftSettings(files), ({ value, path, field }) => ({ value, from: `${path}, ${field}` })),
    defaults: sourced(microshiftDefaults, (value) => ({ value, from: 'default of MicroShift' })),
  };
}

const HINT = 'fix it, because MicroShift reads it too; or set all variables by --variable';

async function dropIns(folder: string): Promise<string[]> {
  try {
    const names = await fs.readdir(folder);
    const own = names.filter((name) => name.endsWith('.yaml')).sort(byteOrder);
    return own.map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    throw unreadable(folder, error);
  }
}

async function bytesOf(path: string, { onEvent }: Flow): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (!(error instanceof SolpackError) || !['file-missing', 'file-unreadable'].includes(error.code)) throw error;
    if (error.code === 'file-unreadable') {
      onEvent({ type: 'notice', subject: path, message: `gives plugins no variables of the node: ${error.message}` });
    }
    return undefined;
  }
}
