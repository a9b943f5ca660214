import { codeOf, type Flow, findInstalled, reasonOf, SolpackError } from '../../../kernel/events/index.ts';
import { printedVersion } from '../../../kernel/machine/index.ts';
import { type DoctorSurroundings, type HealthCheck, openedArchives } from '../check.ts';
import type { LookedArchive } from '../looked.ts';
import type { HealthFinding } from '../request.ts';

/** A program that something needs, on PATH or beside solpack. */
interface NeededProgram {
  readonly name: string;
  /** The same by another name. */
  readonly or?: string;
  /** What is found where it is not here. */
  readonly absent: Omit<HealthFinding, 'subject'>;
  /** The lowest major version that does. */
  readonly least?: number;
}

/** Looks for the programs that solpack runs, and asks them for their versions. */
export const programCheck: HealthCheck = {
  code: 'program',
  purposes: ['pack', 'install'],
  look: async (surroundings, flow) => {
    const needed = [...neededToPack(surroundings), ...(await neededToInstall(surroundings))];
    const once = new Map(needed.map((one) => [one.name, one]));
    return Promise.all([...once.values()].map((one) => found(one, surroundings, flow)));
  },
};

/** Which of them a definition needs is known once it is packed: without one, something cannot be packed. */
function neededToPack({ purposes }: DoctorSurroundings): NeededProgram[] {
  if (!purposes.has('pack')) return [];
  const without = (what: string, hint: string): NeededProgram['absent'] => ({
    state: 'warns',
    message: `is not on PATH: ${what}`,
    hint,
  });
  return [
    { name: 'helm', absent: without('charts cannot be packed', HELM), least: 3 },
    { name: 'kubectl', or: 'kustomize', absent: without('kustomizations cannot be packed', KUBECTL) },
    { name: 'git', absent: without('nothing can be fetched from git', 'install git on PATH') },
  ];
}

async function neededToInstall(surroundings: DoctorSurroundings): Promise<NeededProgram[]> {
  const { purposes, said } = surroundings;
  if (!purposes.has('install')) return [];
  const archives = await openedArchives(surroundings);
  const containerd = 'install the ctr that comes with containerd';
  return [
    { name: 'helm', absent: carried('helm', 'helm', archives, HELM), least: 3 },
    { name: 'kubectl', or: 'kustomize', absent: carried('kubectl', 'kustomize', archives, KUBECTL) },
    ...(said.containerd === undefined ? [] : [{ name: 'ctr', absent: missing('images.containerd', containerd) }]),
    ...(said.imageStore === undefined ? [] : [{ name: 'skopeo', absent: missing('images.image-store', SKOPEO) }]),
  ];
}

const HELM = 'install Helm 3 or 4 on PATH';
const KUBECTL = 'install kubectl or kustomize on PATH';
const SKOPEO = 'install skopeo on PATH';

function missing(setting: string, hint: string): NeededProgram['absent'] {
  return { state: 'fails', message: `is not on PATH, but ${setting} of the profile needs it`, hint };
}

/** What it means that a program is not here which renders components of a kind, and which archives may bring. */
function carried(
  program: string,
  kind: string,
  archives: readonly LookedArchive[],
  hint: string,
): NeededProgram['absent'] {
  const brings = archives.find(({ programs }) => programs.has(program));
  if (brings !== undefined) return { state: 'ok', message: `comes with ${brings.path}` };
  const needs = archives.find(({ kinds }) => kinds.has(kind));
  if (needs !== undefined) {
    const message = `is not on PATH and in no archive, but ${needs.name} ${needs.version} needs it`;
    return { state: 'fails', message, hint };
  }
  if (archives.length > 0)
    return { state: 'ok', message: 'is not on PATH, and no archive of the configuration needs it' };
  return { state: 'warns', message: 'is not on PATH: an archive that needs it has to include it', hint };
}

async function found(
  { name, or, absent, least = 0 }: NeededProgram,
  { request: { environment } }: DoctorSurroundings,
  flow: Flow,
): Promise<HealthFinding> {
  const here = await findInstalled(flow.host, name);
  const path = here ?? (or === undefined ? undefined : await findInstalled(flow.host, or));
  if (path === undefined) return { subject: name, ...absent };
  const { hint = `install another ${name}` } = absent;
  try {
    const said = await printedVersion({ name: here === undefined ? or! : name, path }, environment, flow.signal);
    const [version, major] = /v?(\d{1,9})(?:\.[\w+-]{1,99}){0,9}/.exec(said) ?? [];
    if (version === undefined || Number(major) >= least) {
      return { state: 'ok', subject: name, message: `${version ?? 'of an unknown version'}, ${path}` };
    }
    return { state: 'fails', subject: name, message: `${path} is ${version}, but at least ${least} is needed`, hint };
  } catch (error) {
    flow.signal.throwIfAborted();
    if (!(error instanceof SolpackError) && codeOf(error) === undefined) throw error;
    return { state: 'fails', subject: name, message: `${path} cannot be run: ${reasonOf(error)}`, hint };
  }
}
