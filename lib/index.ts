/**
 * solpack for programs: what the commands do. A flow takes a request and a `Flow` (signal, events, host), prints
 * nothing, and throws `SolpackError`. Each function loads its module when it is first called, so that whoever needs one
 * does not wait for all.
 */
import { lazily, lazilyEach } from './kernel/lazily.ts';

// Making a Solution
export const init = lazily(async () => (await import('./flows/init/index.ts')).init);
export const pack = lazily(async () => (await import('./flows/pack/index.ts')).pack);
export const check = lazily(async () => (await import('./flows/pack/check.ts')).check);
export const listImages = lazily(async () => (await import('./flows/pack/index.ts')).listImages);
export const updateDefinition = lazily(async () => (await import('./flows/update/index.ts')).updateDefinition);
export const renderSolution = lazily(async () => (await import('./flows/render/index.ts')).renderSolution);
export const diff = lazily(async () => (await import('./flows/diff/index.ts')).diff);

// Looking into archives
export const inspect = lazily(async () => (await import('./flows/inspect/index.ts')).inspect);
export const inspectRights = lazily(async () => (await import('./flows/rights/index.ts')).inspectRights);
export const list = lazilyEach(async () => (await import('./flows/browse/index.ts')).list);
export const extract = lazily(async () => (await import('./flows/browse/index.ts')).extract);
export const exportImages = lazily(async () => (await import('./flows/export/index.ts')).exportImages);
export const mountArchive = lazily(async () => (await import('./flows/mount/index.ts')).mountArchive);
export const unmountArchive = lazily(async () => (await import('./flows/mount/index.ts')).unmountArchive);

// Trust
export const verify = lazily(async () => (await import('./flows/verify/index.ts')).verify);
export const scanArchive = lazily(async () => (await import('./flows/scan/index.ts')).scanArchive);
export const keygen = lazily(async () => (await import('./flows/sign/index.ts')).keygen);
export const signArchive = lazily(async () => (await import('./flows/sign/index.ts')).signArchive);
export const signInRegistry = lazily(async () => (await import('./flows/sign/index.ts')).signInRegistry);
export const unsignArchive = lazily(async () => (await import('./flows/sign/index.ts')).unsignArchive);

// Moving archives and images
export const push = lazily(async () => (await import('./flows/push/index.ts')).push);
export const delta = lazily(async () => (await import('./flows/delta/index.ts')).delta);
export const merge = lazily(async () => (await import('./flows/delta/index.ts')).merge);
export const pull = lazily(async () => (await import('./flows/pull/index.ts')).pull);
export const serve = lazily(async () => (await import('./flows/serve/index.ts')).serve);
export const joinMirror = lazily(async () => (await import('./flows/join-mirror/index.ts')).joinMirror);
export const leaveMirror = lazily(async () => (await import('./flows/join-mirror/index.ts')).leaveMirror);

// Choosing versions
export const importArchives = lazily(async () => (await import('./flows/configure/index.ts')).importArchives);
export const unimportArchives = lazily(async () => (await import('./flows/configure/index.ts')).unimportArchives);
export const activateSolution = lazily(async () => (await import('./flows/configure/index.ts')).activateSolution);
export const deactivateSolution = lazily(async () => (await import('./flows/configure/index.ts')).deactivateSolution);
export const resolveSet = lazily(async () => (await import('./flows/resolve/index.ts')).resolveSet);

// Installing
export const install = lazily(async () => (await import('./flows/install/index.ts')).install);
export const foreseeInstall = lazily(async () => (await import('./flows/install/index.ts')).foreseeInstall);
export const load = lazily(async () => (await import('./flows/load/index.ts')).load);
export const foreseeLoad = lazily(async () => (await import('./flows/load/index.ts')).foreseeLoad);
export const uninstall = lazily(async () => (await import('./flows/uninstall/index.ts')).uninstall);

// After an install
export const status = lazily(async () => (await import('./flows/status/index.ts')).status);
export const watchStatus = lazily(async () => (await import('./flows/status/index.ts')).watchStatus);
export const history = lazily(async () => (await import('./flows/history/index.ts')).history);
export const generationObjects = lazily(async () => (await import('./flows/history/content.ts')).generationObjects);
export const generationResolution = lazily(
  async () => (await import('./flows/history/resolution.ts')).generationResolution,
);
export const rollback = lazily(async () => (await import('./flows/rollback/index.ts')).rollback);
export const repair = lazily(async () => (await import('./flows/repair/index.ts')).repair);
export const keepRepairing = lazily(async () => (await import('./flows/repair/index.ts')).keepRepairing);
export const bootLoader = lazily(async () => (await import('./flows/boot/index.ts')).bootLoader);
export const proposedInstall = lazily(async () => (await import('./flows/approval/index.ts')).proposedInstall);
export const decidePlan = lazily(async () => (await import('./flows/approval/index.ts')).decidePlan);
export const configurationReports = lazily(
  async () => (await import('./flows/approval/index.ts')).configurationReports,
);
export const runAgent = lazily(async () => (await import('./flows/agent/index.ts')).runAgent);
export const makeSupportBundle = lazily(
  async () => (await import('./flows/support-bundle/index.ts')).makeSupportBundle,
);
export const doctor = lazily(async () => (await import('./flows/doctor/index.ts')).doctor);

// Helpers
export { defaultFlow } from './default-flow.ts';
export { errorInfo, exits, SolpackError } from './kernel/events/errors.ts';
export { lend } from './kernel/events/lend.ts';

export type * from './types.ts';
