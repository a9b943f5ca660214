/** Records of Solutions, stored in Secrets. */

export {
  /** Forgets what was remembered of components that a Solution no longer has. */
  forgetComponents,
  /** Returns what a Solution wants to have remembered, and what is not remembered in these words already. */
  newRecords,
} from './keep.ts';
export {
  /** Reads all records of a kind, which is the first part of what they are about. */
  listRecords,
  /** Reads all records of a kind that Solutions have; those that are damaged are left out. */
  listSolutionRecords,
  /** Reads what was remembered under a name; undefined where nothing was. */
  readRecord,
  /** Forgets what is remembered of an owner: all of it, or what is about something that is not to be kept. */
  removeRecords,
  /** Remembers bytes under a name, in Secrets of the namespace of the inventories. */
  storeRecord,
} from './record.ts';
export {
  /** The label of the Secrets of one record. */
  RECORD,
  /** Names a record: what is remembered, and of what. */
  type RecordName,
} from './secrets.ts';
