/** What a cluster remembers of solpack: inventories, generations, records, owners of fields, and the lease. */

export {
  /** Begins to count the time. */
  elapsedSince,
  /** Returns this moment. */
  moment,
} from './fence.ts';
export {
  /** What is remembered of Jobs that are removed some time after they have ended (batch/v1. */
  type FinishedJobs,
  /** Remembers that the Jobs of components of a Solution have ended well. */
  noteFinishedJobs,
  /** Reads what is remembered of such Jobs of a plan, and looks which of them are gone. */
  readFinishedJobs,
} from './finished-jobs.ts';
export {
  /** What objects of a Solution were like when they had been applied, by their keys. */
  type Footprints,
  /** Finds the objects of a plan that are still as they were applied, and would be applied as they were. */
  findUntouched,
  /** Describes an object as it is after it was applied; undefined where the manager has no fields of it. */
  footprintOf,
  /** Reads what all Solutions were like, by their names. */
  readFootprints,
  /** Remembers what a Solution is like. */
  writeFootprints,
} from './footprints.ts';
export {
  /** Does `work` as a generation of its configuration. */
  inGeneration,
  /** Names all configurations that a cluster remembers generations of, in order. */
  readConfigurations,
  /** Reads what a generation applied. */
  readContent,
  /** Reads the generations of a configuration, the newest first. */
  readGenerations,
  /** Reads the generations of a configuration as they are stored, the newest first. */
  readHeaders,
} from './generations/index.ts';
export {
  /** Returns options for a dry run that sees the object as if the fields were inherited already. */
  asHeir,
  /** Assigns the fields of other managers of solpack to this one. */
  inherit,
  /** Returns the same for an object of a Solution that its owner may take. */
  legacyOf,
} from './inherit-fields.ts';
export {
  /** Returns what the cluster remembers to those who do not know of sets, by the names of Solutions. */
  inventoryEntries,
  /** Reads the inventories of all Solutions, by the ids of their sets. */
  readInventories,
  /** Removes the inventory of a Solution of which nothing is left, unless another configuration has it by now. */
  removeInventory,
  /** Makes sure that no other configuration brought, and still wants, a Solution of a plan. */
  requireOwned,
  /** Finds the inventories of Solutions that a plan takes from other configurations. */
  takenBy,
  /** Writes the inventory of a Solution into its parent. */
  writeInventory,
} from './inventories.ts';
export {
  /** Returns what the inventory of a Solution says once it is ready. */
  inventoryFor,
  /** Returns an inventory that also covers what another one covers. */
  wider,
} from './inventory-for.ts';
export {
  /** Removes the Lease of a configuration where the run that has it has certainly ended. */
  clearEnded,
  /** Does `work` while no other run applies the same configuration. */
  withLease,
} from './lease.ts';
export {
  /** Reads what others have installed by OLM and by Helm. */
  readOutside,
} from './outside.ts';
export {
  /** A session that applies objects for an owner. */
  type Applying,
  /** The inventories of all Solutions, by the ids of their sets. */
  type Inventories,
  /** Decides whether solpack applied the object. */
  isApplied,
  /** Decides whether the object is a member of a set to which solpack added it. */
  isOurs,
  /** The configuration that applies objects. */
  type Owner,
  /** Returns the owner for a plan. */
  ownerOf,
  /** Describes who else owns the object. */
  rivalOf,
} from './ownership.ts';
export {
  /** Forgets what was remembered of components that a Solution no longer has. */
  forgetComponents,
  /** Reads all records of a kind that Solutions have; those that are damaged are left out. */
  listSolutionRecords,
  /** Returns what a Solution wants to have remembered, and what is not remembered in these words already. */
  newRecords,
  /** The label of the Secrets of one record. */
  RECORD,
  /** Reads what was remembered under a name; undefined where nothing was. */
  readRecord,
  /** Forgets what is remembered of an owner: all of it, or what is about something that is not to be kept. */
  removeRecords,
  /** Remembers bytes under a name, in Secrets of the namespace of the inventories. */
  storeRecord,
} from './records/index.ts';
