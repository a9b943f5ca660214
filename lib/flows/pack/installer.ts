import * as fs from 'node:fs/promises';
import { annotations, type Descriptor, mediaTypes, noPlatform } from '../../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../../formats/oci/manifest.ts';
import { emptyConfig } from '../../../formats/sigstore/referrer.ts';
import {
  type InstallerPlatform,
  installerPrograms,
  PROGRAM_HEAD,
  programFault,
  programPath,
} from '../../../formats/solution/installer.ts';
import { solutionTypes } from '../../../formats/solution/metadata.ts';
import { type Flow, lend, SolpackError, unreadable } from '../../kernel/events/index.ts';
import { openFile } from '../../kernel/files/index.ts';
import { type CollectedFile, fileAt } from '../../parts/components/index.ts';
import type { Content } from './content.ts';
import { fileLayer, fileSource } from './file-layer.ts';
import { installerKeys } from './installer-keys.ts';
import { findProgram, type InstallerRequest, platformsOf } from './installer-programs.ts';

/** The installer of an archive: programs for nodes that have nothing else. */
export interface ResolvedInstaller {
  readonly platforms: readonly InstallerPlatform[];
  /** Its files, in the order of their paths. */
  readonly layers: readonly Descriptor[];
}

/**
 * Finds the programs of an installer and the keys that go with them, and adds them to the content. Throws
 * `usage-invalid`, `file-missing`, `tool-missing`, `key-invalid`, and `installer-invalid` for what is not a program for
 * its platform.
 */
export async function resolveInstaller(
  request: InstallerRequest,
  content: Content,
  flow: Flow,
): Promise<ResolvedInstaller> {
  const platforms = await platformsOf(request);
  const layers: Descriptor[] = await installerKeys(request.folder, content);
  for (const platform of platforms) {
    flow.onEvent({ type: 'step', step: 'collect', subject: `installer ${platform}` });
    for (const program of installerPrograms) {
      const path = programPath(platform, program);
      const file = await programFile(await findProgram(request, platform, program, flow), path, platform);
      const layer = await fileLayer(file, solutionTypes.file, path);
      content.add(layer, fileSource(file, file.origin!));
      layers.push(layer);
    }
  }
  const titleOf = (layer: Descriptor): string => layer.annotations![annotations.title]!;
  return { platforms, layers: layers.sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1)) };
}

/** Makes the manifest of an installer, and returns it as the root lists it. */
export function installerEntry({ layers }: ResolvedInstaller, content: Content): Descriptor {
  const { installer: artifactType } = solutionTypes;
  const config = content.addBytes(emptyConfig.bytes, mediaTypes.empty, 'the config of the installer');
  const manifest = encodeManifest({ artifactType, config, layers });
  const descriptor = content.addBytes(manifest, mediaTypes.manifest, 'the installer');
  return { ...descriptor, artifactType, platform: noPlatform };
}

/** The file of a program, which is executable in an archive, whatever mode it has here. */
async function programFile(found: string, path: string, platform: InstallerPlatform): Promise<CollectedFile> {
  const stats = await fs.stat(found).catch((error) => {
    throw unreadable(found, error);
  });
  const head = await lend(await openFile(found), (file) => file.read(0, Math.min(PROGRAM_HEAD, file.size)));
  const fault = programFault(head, platform);
  if (fault !== undefined) throw invalid(found, platform, fault);
  return { ...fileAt(found, path, stats), mode: 0o755 };
}

function invalid(path: string, platform: InstallerPlatform, fault: string): SolpackError {
  return new SolpackError('installer-invalid', path, fault, {
    hint: `put the program for ${platform} there; scripts that start programs cannot be included`,
  });
}
