import { SolpackError } from '../../kernel/events/index.ts';
import { fileAt, listFiles, locateFile } from './files.ts';
import type { Collected, ComponentKind, StatedObject } from './kind.ts';
import { callPlugin, migrationsOf, objectsPrinted, PROGRAM, requireVersion } from './plugin/index.ts';

/**
 * Kind `plugin`: a folder with an executable `plugin`, or one executable file. It runs only at installation: first with
 * `api-version`, where it has to print `v1` or `v2`, then with `run`, where it prints objects or one Kustomization; one
 * that follows `v2` is asked with `upgrade` where another version is there.
 */
export const plugin: ComponentKind = {
  kind: 'plugin',

  collect: async (spec, signal): Promise<Collected> => {
    const { stats } = await locateFile(spec.root, spec.path);
    const files = stats.isFile()
      ? [fileAt(spec.path, PROGRAM, stats)]
      : await listFiles(spec.root, spec.path, { signal });
    const program = files.find((file) => file.path === PROGRAM);
    if (program?.mode !== 0o755) {
      const message = program ? 'the plugin is not executable' : `holds no file named ${PROGRAM}`;
      throw new SolpackError('component-invalid', spec.path, message, {
        hint: program ? 'run "chmod +x" on it' : `name an executable file, or a folder with one named ${PROGRAM}`,
      });
    }
    return { files, entry: '', values: [] };
  },

  probe: async (component, flow) => {
    await requireVersion(component, flow);
  },

  upgrade: async (component, readPreviousVersion, flow) => {
    return (await requireVersion(component, flow)) === 'v2' ? migrationsOf(component, readPreviousVersion, flow) : [];
  },

  render: async (component, flow): Promise<StatedObject[]> => {
    await requireVersion(component, flow);
    return objectsPrinted(component, await callPlugin(component, 'run', flow), flow);
  },
};
