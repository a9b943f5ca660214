import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { verified } from '../../../formats/digest.ts';
import { installerFileOf } from '../../../formats/solution/installer.ts';
import type { Bounds } from '../../../formats/trust/bounds.ts';
import { type Flow, platformHere, SolpackError, unwritable } from '../../kernel/events/index.ts';
import { type Archive, damaged } from '../../parts/archives/index.ts';
import type { CarriedPrograms, Renderable } from './renderable.ts';

/** Returns the programs of an archive, which are not run where there is a `refusal`. */
export function programsOf(archive: Archive, refusal: string | undefined): CarriedPrograms {
  const programs = archive.catalog.installer.flatMap(({ path, descriptor }) => {
    const file = installerFileOf(path);
    return file?.kind === 'program' ? [{ ...file, descriptor }] : [];
  });
  return {
    path: archive.path,
    refusal,
    platformsOf: (name) => programs.filter(({ program }) => program === name).map(({ platform }) => platform),
    write: async (name, platform, full, { signal }) => {
      const { descriptor } = programs.find((one) => one.program === name && one.platform === platform)!;
      try {
        // It is gone when this ends, so the disk need not have it.
        await fs.writeFile(full, verified(archive.source.open(descriptor, { signal }), descriptor), { mode: 0o700 });
      } catch (error) {
        throw damaged(archive.path, unwritable(full, error));
      }
    },
  };
}

/**
 * Returns why no program of an archive is run that a policy bounds; undefined where it is. A program does what it
 * likes, so it is run only where plugins are.
 */
export function mayRunPrograms(bounds: Bounds | undefined): string | undefined {
  const { components } = bounds ?? {};
  if (components === undefined || components.includes('plugin')) return undefined;
  return 'the policy allows it no plugins, so none of its programs is run';
}

/**
 * Lets Solutions be rendered by programs that archives bring along, where the machine has none: by those of the
 * Solution's own archive, otherwise by those of another one. Each is written below `folder` when it is first needed.
 */
export function carriedBy(
  solutions: readonly Renderable[],
  folder: string,
  flow: Flow,
): (solution: Renderable) => Flow {
  const written = new Map<string, Promise<string>>();
  const place = async (programs: CarriedPrograms, name: string, index: number): Promise<string> => {
    const own = join(folder, String(index));
    await fs.mkdir(own, { recursive: true, mode: 0o700 }).catch((error) => {
      throw unwritable(own, error);
    });
    flow.onEvent({ type: 'step', step: 'unpack', subject: `${name} of ${programs.path}` });
    await programs.write(name, platformHere(), join(own, name), flow);
    return join(own, name);
  };
  return (solution) => {
    const inOrder = [solution, ...solutions.filter((one) => one !== solution)].flatMap(
      ({ programs }) => programs ?? [],
    );
    const carried = async (name: string): Promise<string | undefined> => {
      const usable = inOrder.find((one) => one.refusal === undefined && one.platformsOf(name).includes(platformHere()));
      if (usable === undefined) return unusable(name, inOrder);
      const index = solutions.findIndex(({ programs }) => programs === usable);
      const key = `${index} ${name}`;
      const path = written.get(key) ?? place(usable, name, index);
      written.set(key, path);
      return path;
    };
    return { ...flow, host: { ...flow.host, carried } };
  };
}

/** Throws where an archive brings a program that cannot be used here. */
function unusable(name: string, all: readonly CarriedPrograms[]): undefined {
  const here = platformHere();
  const brings = all.find((one) => one.platformsOf(name).includes(here)) ?? all.find((one) => one.platformsOf(name)[0]);
  if (brings === undefined) return undefined;
  const platforms = brings.platformsOf(name);
  const why = platforms.includes(here)
    ? `includes it, but ${brings.refusal}`
    : `includes it for ${platforms.join(' and ')}, but this machine is ${here}`;
  throw new SolpackError('tool-missing', name, `not found on PATH, and ${brings.path} ${why}`, {
    hint: `install ${name} on PATH`,
  });
}
