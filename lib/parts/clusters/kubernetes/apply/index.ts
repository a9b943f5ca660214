/** Applies objects to an API server: decides, applies, replaces, and reads the previous version. */

export {
  /** Applies one object, and returns what that did. */
  applyObject,
} from './apply-object.ts';
export {
  /** Carries out a request. */
  applyRequest,
  /** Returns what `applyRequest` would do, by the same decision. */
  foreseeRequest,
} from './apply-request.ts';
export {
  /** Finds what a request would fail by, or break, and changes nothing. */
  examineRequest,
} from './examine/index.ts';
export {
  /** Reads what there is of a Solution, its Secrets aside, and the custom resources of its kinds. */
  readPreviousVersion,
} from './read-previous-version.ts';
