/** Media that MetalK8s made. */

export {
  /** How the name of a signature ends that lies beside the medium which it is of. */
  BESIDE,
} from './slots.ts';
