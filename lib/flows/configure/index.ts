/** Edits a SolutionsConfiguration: imports archives, activates and deactivates versions. */

export { type ActivateRequest, type ActivateResult, activateSolution } from './activate.ts';
export { type DeactivateRequest, type DeactivateResult, deactivateSolution } from './deactivate.ts';
export type {
  /** An archive that a configuration lists after an import. */
  ImportedArchive,
} from './import.ts';
export { foreseeImport, type ImportRequest, type ImportResult, importArchives } from './import.ts';
export type {
  /** What every edit of a configuration returns. */
  Edited,
  /** How to reach archives that are not paths of this machine. */
  MediaReach,
  NamedArchive,
} from './request.ts';
export type {
  /** An archive that a configuration no longer lists; an entry of several archives occurs once for each of them. */
  UnimportedArchive,
} from './unimport.ts';
export { type UnimportRequest, type UnimportResult, unimportArchives } from './unimport.ts';
