import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { text } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { type KubernetesObject, parseDocuments } from '../../formats/manifest/documents.ts';
import { isKustomization, kustomizationNames } from '../../formats/manifest/kustomization.ts';
import { parseYaml } from '../../formats/manifest/yaml.ts';
import { refused, SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import { reasonOf, temporaryFolder, unwritable } from '../host.ts';
import { type ProgramEnd, runProgram } from '../programs.ts';
import { closureOf } from './closure.ts';
import { fileAt, listFiles, locate } from './files.ts';
import type { Collected, ComponentKind, UnpackedComponent } from './kind.ts';
import { buildKustomization } from './tools.ts';

const PROGRAM = 'plugin';
const limits = { version: 1024, objects: 16 * 1024 * 1024 } as const;
/** Milliseconds. */
const times = { version: 5_000, run: 60_000 } as const;

/** Variables of the calling convention that describe a MicroShift node; always there, empty where nothing is known. */
export const nodeVariables = [
  'MICROSHIFT_BASEDOMAIN',
  'MICROSHIFT_CLUSTER_CLUSTERCIDR',
  'MICROSHIFT_CLUSTER_SERVICECIDR',
  'MICROSHIFT_CLUSTER_SERVICENODEPORTRANGE',
  'MICROSHIFT_CLUSTER_URL',
  'MICROSHIFT_LOGVLEVEL',
  'MICROSHIFT_NODEIP',
  'MICROSHIFT_NODENAME',
  'MICROSHIFT_SUBJECTALTNAMES',
] as const;

/**
 * Kind `plugin`: a folder with an executable `plugin`, or one executable file. It is run at install time alone, first
 * with `api-version`, which has to print `v1`, then with `run`, which prints objects or one Kustomization.
 */
export const plugin: ComponentKind = {
  kind: 'plugin',

  collect: async (spec, signal): Promise<Collected> => {
    const { stats } = await locate(spec.root, spec.path);
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

  render: async (component, flow): Promise<readonly KubernetesObject[]> => {
    const folder = join(component.folder, component.entry);
    const version = await call(component, folder, 'api-version', flow);
    if (!/^v1\n?$/.test(version)) {
      const found = JSON.stringify(version.trim().slice(0, 40));
      throw failed(component, `api-version printed ${found}, not v1`, 'use a plugin that follows version v1');
    }
    const output = await call(component, folder, 'run', flow);
    const documents = await refused('plugin-failed', component.name, () => parseYaml(output, 'output of run'));
    if (!documents.some(({ value }) => isKustomization(value))) {
      return refused('plugin-failed', component.name, () => parseDocuments(output, 'output of run'));
    }
    if (documents.length > 1) {
      throw failed(component, 'run printed a Kustomization beside other documents', 'print one or the other');
    }
    return built(component, folder, output, flow);
  },
};

/** Builds what the plugin printed with the files of its folder, in a copy: the folder itself stays as it was signed. */
async function built(
  component: UnpackedComponent,
  folder: string,
  output: string,
  flow: Flow,
): Promise<KubernetesObject[]> {
  return lend(await temporaryFolder(flow.host), async ({ path }) => {
    const home = join(path, 'plugin');
    try {
      await fs.cp(folder, home, { recursive: true });
      for (const name of kustomizationNames) await fs.rm(join(home, name), { force: true });
      await fs.writeFile(join(home, kustomizationNames[0]), output);
    } catch (error) {
      throw unwritable(home, error);
    }
    await closureOf(home, home, flow.signal);
    return buildKustomization(home, component.name, flow);
  });
}

async function call(
  component: UnpackedComponent,
  folder: string,
  argument: 'api-version' | 'run',
  flow: Flow,
): Promise<string> {
  const isRun = argument === 'run';
  let ended: ProgramEnd;
  try {
    ended = await runProgram(join(folder, PROGRAM), [argument], {
      cwd: folder,
      env: environment(component),
      timeout: isRun ? times.run : times.version,
      limit: isRun ? limits.objects : limits.version,
      signal: flow.signal,
      onLine: (line) =>
        flow.onEvent({ type: 'notice', message: `[${component.name}] ${line}`, subject: component.name }),
    });
  } catch (error) {
    flow.signal.throwIfAborted();
    throw failed(component, `${argument} cannot be run: ${reasonOf(error)}`, 'is it built for this machine?', error);
  }
  const reason = reasonOfEnd(ended, isRun);
  if (reason) throw failed(component, `${argument} ${reason.message}`, reason.hint);
  return refused('plugin-failed', component.name, () => checkedText(ended.stdout));
}

/** Why a run counts as failed; what it printed by then is not looked at. */
function reasonOfEnd(ended: ProgramEnd, isRun: boolean): { message: string; hint: string } | undefined {
  const [time, limit] = isRun ? [times.run, limits.objects] : [times.version, limits.version];
  const broken = 'its messages may tell more; report it to the author of the plugin';
  if (ended.tooMuch) return { message: `printed more than ${limit} bytes`, hint: broken };
  if (ended.timedOut) return { message: `did not end within ${time / 1000} s`, hint: broken };
  if (ended.signal !== undefined) return { message: `was ended by ${ended.signal}`, hint: broken };
  if (ended.code === 0) return undefined;
  if (isRun && ended.code === 1) {
    return { message: 'found a precondition of this machine unmet (code 1)', hint: 'see its messages, then try again' };
  }
  if (isRun && ended.code === 2) {
    return { message: 'found its configuration invalid (code 2)', hint: 'see its messages, then correct it' };
  }
  return { message: `ended with an internal error (code ${ended.code})`, hint: broken };
}

function environment(component: UnpackedComponent): Record<string, string> {
  return {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    HOME: '/',
    ...Object.fromEntries(nodeVariables.map((name) => [name, ''])),
    SOLUTION_NAME: component.solution.name,
    SOLUTION_VERSION: component.solution.version,
    SOLUTION_COMPONENT: component.name,
    SOLUTION_NAMESPACE: component.namespace ?? '',
  };
}

function checkedText(bytes: Uint8Array): string {
  const content = text(bytes, 'yaml-invalid');
  if (content.includes('\0')) throw new FormatError('yaml-invalid', 'there is a NUL in its output');
  return content;
}

function failed(component: UnpackedComponent, message: string, hint: string, cause?: unknown): SolpackError {
  return new SolpackError('plugin-failed', component.name, message, { hint, cause });
}
