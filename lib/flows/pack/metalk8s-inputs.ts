import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { ImageNaming } from '../../../formats/solution/manifest-yaml.ts';

/** What an archive has for the importer of MetalK8s, beside views of its images. */
export interface Metalk8sInputs {
  /** Layers of the solution artifact: the definitions and the roles below `operator/deploy/`. */
  readonly layers: readonly Descriptor[];
  /** How its `manifest.yaml` names images. */
  readonly naming: ImageNaming;
}
