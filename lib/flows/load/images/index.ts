/** Images of component folders: their names, and whether a registry has them. */

export {
  /** Makes sure that the archives hold every image that the trees use, before any is moved. */
  checkImagesStep,
} from './check-step.ts';
export {
  /** Names the images of trees as nodes pull them. */
  nameTreeStep,
  /** Given once the images of trees are named as nodes pull them. */
  pinnedTree,
} from './name-step.ts';
export {
  /** Closes archives. */
  closeArchives,
  /** Opens the archives that a request names, each once, in that order. */
  openImageArchives,
} from './read.ts';
