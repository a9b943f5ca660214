import { listSolutionRecords, removeRecords, storeRecord } from '../../memory/index.ts';
import type { ApplySession } from '../../server/index.ts';
import { formatHookRecord, type HookRecord, parseHookRecord } from './record.ts';

/** What records about hooks are named by, before the name of the component. */
const ABOUT = 'hooks';

/** What is remembered of the hooks of components: by Solution, then by component. */
export type HookRecords = ReadonlyMap<string, ReadonlyMap<string, HookRecord>>;

/** Reads all that is remembered of hooks. */
export async function readHookRecords(session: ApplySession): Promise<HookRecords> {
  const found = new Map<string, Map<string, HookRecord>>();
  for (const { solution, about, bytes } of await listSolutionRecords(ABOUT, session)) {
    const record = parseHookRecord(bytes);
    if (record === undefined) continue;
    const own = found.get(solution) ?? new Map<string, HookRecord>();
    found.set(solution, own.set(about.slice(ABOUT.length + 1), record));
  }
  return found;
}

/** Remembers something of the hooks of a component. */
export async function writeHookRecord(
  solution: string,
  component: string,
  record: HookRecord,
  session: ApplySession,
): Promise<void> {
  await storeRecord({ solution, about: `${ABOUT}.${component}` }, formatHookRecord(record), session);
}

/** Forgets what is remembered of the hooks of a component. */
export async function forgetHooks(solution: string, component: string, session: ApplySession): Promise<void> {
  await removeRecords({ solution }, session, (about) => about !== `${ABOUT}.${component}`);
}
