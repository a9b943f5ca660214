export { type ActivateRequest, type ActivateResult, activateSolution } from './activate.ts';
export { type DeactivateRequest, type DeactivateResult, deactivateSolution } from './deactivate.ts';
export { foreseeImport, type ImportRequest, type ImportResult, importArchives } from './import.ts';
export type { NamedArchive } from './request.ts';
export { type UnimportRequest, type UnimportResult, unimportArchives } from './unimport.ts';
