/** The objects that a Solution wants in a cluster, normalized, in the phases in which they are applied. */

export {
  /** The namespace of the parents: one ConfigMap for each Solution. */
  HOME,
  /** The record of one Solution in the cluster. */
  type Inventory,
  /** Reads the inventory out of a parent. */
  inventoryOf,
  /** The label of objects that solpack made for itself. */
  MANAGED_BY,
  /** The label of a member: the id of the ApplySet that it belongs to. */
  PART_OF,
  /** Returns the name of a Solution's parent. */
  parentName,
  /** Returns the parent that records an inventory. */
  parentOf,
  /** Parses what `groupKindOf` returns. */
  parseGroupKind,
  /** The label of a parent: the id of its ApplySet (KEP-3659, "Labels and annotations"). */
  SET_ID,
  /** Returns the id of a Solution's ApplySet. */
  setOf,
  /** Returns the tool that claims a parent, without its version; '' where none does. */
  toolOf,
} from './applyset.ts';
export {
  /** Returns the key of an object, which is the same in every version of its API. */
  objectKey,
} from './normalized.ts';
export {
  /** Sorts by phase, and keeps the stated order within each. */
  inPhases,
  /** Decides whether an object is a Namespace or a CustomResourceDefinition, which other objects need. */
  isFoundation,
  /** Decides whether an object, once it exists, can refuse or change others. */
  isGate,
  /** Decides whether an object is ready for as long as nobody changes it. */
  isSteady,
  /** Decides whether an object may need kinds that definitions add. */
  needsGround,
  /** Returns the phase in which an object is applied, counted from 0. */
  phaseOf,
} from './phases.ts';
export {
  /** What an apply will do, decided before anything is changed. */
  type ApplyPlan,
  /** Returns what the rest of some components needs: their namespaces, then their CustomResourceDefinitions. */
  foundationOf,
  /** A component with its objects in the order of application. */
  type PlannedComponent,
  /** A hook of a component, as it will be sent at its events. */
  type PlannedHook,
  /** One object of a Solution, as it will be sent. */
  type PlannedObject,
  /** A Solution with the objects that it owns. */
  type PlannedSolution,
  /** Decides to which Solution each object belongs, and in which form and order it is applied. */
  planApply,
} from './plan.ts';
