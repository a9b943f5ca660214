import { installSteps } from '../../lib/flows/install/steps/index.ts';

/** What each kind of step does. */
const words: Readonly<Record<string, string>> = {
  verify: 'verify\\nevery byte, and who signed the root',
  'check-sites': 'check sites\\nvalues, secrets and patches fit',
  survey: 'survey\\nregistries, disks, Kubernetes version',
  render: 'render\\ncharts, kustomizations, plugins become objects',
  preflight: 'preflight\\nrights, nodes, stored resources',
  deliver: 'deliver images\\npush them, or serve them from the archive',
  'name-images': 'name images\\nobjects name each image by its digest',
  mirror: 'mirror\\ncontainerd finds the images',
  apply: 'apply\\ndry run, then phase by phase until all is ready',
  remember: 'remember\\nwhich release was installed',
  'retire-mirrors': 'retire mirrors\\nthat nothing needs any longer',
};

/** The steps before which nothing is changed. */
const LOOKING = ['verify', 'check-sites', 'survey', 'render', 'preflight'];

/** Makes the graph of an install: its steps in the order in which they are done. */
export function installGraph(): string {
  const deliver = { kind: 'deliver' } as never;
  const kinds = installSteps({ steps: [deliver] } as never).map(({ kind }) => kind);
  const node = (kind: string): string => {
    const label = words[kind];
    if (label === undefined) throw new Error(`no words for the step ${kind} of an install`);
    return `"${kind}" [class="${kind === 'apply' ? 'main' : kind === 'verify' ? 'sealed' : ''}", width=3.6, label="${label}"];`;
  };
  const group = (name: string, label: string, members: readonly string[]): string =>
    `subgraph cluster_${name} { label="${label}"; labeljust="l"; style="rounded"; ${members.map(node).join(' ')} ${members.map((kind) => `"${kind}"`).join(' -> ')}; }`;
  const later = kinds.filter((kind) => !LOOKING.includes(kind));
  return `digraph {
  rankdir=TB; ranksep=0.22; compound=true; newrank=true;
  ${group('looks', 'nothing is changed yet', LOOKING)}
  ${group('does', 'each step finds out what is done already', later)}
  { rank=same; "${LOOKING[0]}"; "${later[0]}"; }
  "${LOOKING.at(-1)}" -> "${later[0]}" [constraint=false];
}`;
}
