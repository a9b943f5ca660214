import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { pathFolders } from '../lib/command.ts';
import type { Flow, OnEvent } from '../lib/index.ts';
import { absolute } from './arguments.ts';
import type { Io } from './io.ts';

/** Makes a flow of what the environment says. */
export function commandFlow(io: Io, onEvent: OnEvent): Flow {
  const path = pathFolders(io.env['PATH']).map((folder) => absolute(io, folder));
  const beside = io.executable === undefined ? {} : { beside: dirname(io.executable) };
  return { signal: io.signal, onEvent, host: { path, temp: io.env['TMPDIR'] || tmpdir(), ...beside } };
}
