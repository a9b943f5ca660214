// Sets up what stands for a machine in a folder, or takes it back:  node set-up.ts FOLDER do|undo
import { join } from 'node:path';
import { carryOutSetup, planSetup, type SetupAction, undoSetup } from '../../../lib/flows/setup/index.ts';
import { testFlow } from '../flow.ts';

const [folder = '', what] = process.argv.slice(2);
const at = (path: string): string => join(folder, path);
const record = at('var/lib/solpack/setup.json');

/** What is done: a program, folders, files, and settings in a profile that somebody has begun, and in a file that is not there. */
const actions: readonly SetupAction[] = planSetup({
  profile: at('etc/solpack/profile.toml'),
  configuration: at('srv/solutions.yaml'),
  kubeconfig: '/etc/kubernetes/admin.conf',
  trust: { kind: 'keys', files: [{ name: 'release.pub', text: 'a key\n' }] },
  images: { way: 'image-store', folder: at('var/images') },
  program: [],
  copies: [{ from: at('stick/solpack'), path: at('bin/solpack') }],
}).map((action) =>
  'path' in action && action.path.startsWith('/etc/') ? { ...action, path: at(action.path) } : action,
);

const flow = testFlow();
if (what === 'undo') await undoSetup(record, flow);
else await carryOutSetup(actions, { record, plan: false }, flow);
