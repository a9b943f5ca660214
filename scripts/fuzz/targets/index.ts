import type { Target } from '../target.ts';
import { answers } from './answers.ts';
import { archives } from './archives.ts';
import { attestations } from './attestations.ts';
import { blanking } from './blanking.ts';
import { bundles } from './bundles.ts';
import { catalogs } from './catalogs.ts';
import { cel } from './cel.ts';
import { charts } from './charts.ts';
import { cluster } from './cluster.ts';
import { clusterDocuments } from './cluster-documents.ts';
import { credentials } from './credentials.ts';
import { deltas } from './deltas.ts';
import { dockerArchives } from './docker-archives.ts';
import { keys } from './keys.ts';
import { layers } from './layers.ts';
import { media } from './media.ts';
import { names } from './names.ts';
import { oci } from './oci.ts';
import { packages } from './packages.ts';
import { patches } from './patches.ts';
import { pushes } from './pushes.ts';
import { reader } from './reader.ts';
import { relations } from './relations.ts';
import { remembered } from './remembered.ts';
import { repositories } from './repositories.ts';
import { schemas } from './schemas.ts';
import { streams } from './streams.ts';
import { tar } from './tar.ts';
import { toml } from './toml.ts';
import { verify } from './verify.ts';
import { yaml } from './yaml.ts';

/** Every parser of foreign bytes. A new target is one file, and one line here. */
export const targets: readonly Target[] = [
  reader,
  verify,
  archives,
  deltas,
  patches,
  tar,
  streams,
  layers,
  packages,
  charts,
  bundles,
  catalogs,
  relations,
  repositories,
  schemas,
  cel,
  dockerArchives,
  oci,
  names,
  toml,
  yaml,
  media,
  credentials,
  attestations,
  keys,
  answers,
  blanking,
  cluster,
  clusterDocuments,
  pushes,
  remembered,
];

/** Returns the targets with these names. Throws for an unknown name. */
export function targetsNamed(wanted: readonly string[]): Target[] {
  return wanted.map((name) => {
    const found = targets.find((target) => target.name === name);
    if (found) return found;
    throw new Error(`there is no target ${name}, but there are ${targets.map((target) => target.name).join(', ')}`);
  });
}
