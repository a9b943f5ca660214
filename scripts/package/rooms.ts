import type { TreeshakingOptions } from 'rolldown';

/**
 * Says that a module of lib or formats does nothing by being loaded: the door of a room then brings along only what is
 * imported through it.
 */
export const withoutWholeRooms: TreeshakingOptions = {
  moduleSideEffects: [{ test: /\/(?:lib|formats)\/.*\.ts$/, sideEffects: false }],
};
