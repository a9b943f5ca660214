import { expect, test } from 'vitest';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { fetchesIn } from '../../../formats/manifest/fetches.ts';

/** The addresses that a container of a Job fetches from, with the field of each. */
function found(fields: object): string[] {
  const spec = { template: { spec: { containers: [fields] } } };
  const [job] = parseDocuments(
    JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec }),
    'j',
  );
  return fetchesIn(job!).map(({ address, path }) => `${path.slice(5).join('.')} ${address}`);
}

const url = 'https://files.example.com/all.yaml';

test('commands and arguments that fetch from an address are found, also in scripts, hooks and probes', () => {
  expect(found({ command: ['/usr/bin/kubectl', 'apply', '-f', url] })).toEqual([`command.3 ${url}`]);
  expect(found({ command: ['curl'], args: ['-o', 'x', `--url=${url}`] })).toEqual([`args.2 ${url}`]);
  const script = `set -e\necho ready\ncurl -sL \\\n  "${url}" | tar x; git clone https://git.example.com/a.git`;
  expect(found({ command: ['sh', '-c', script] })).toEqual([
    `command.2 ${url}`,
    'command.2 https://git.example.com/a.git',
  ]);
  const action = (program: string): object => ({ exec: { command: [program, url] } });
  expect(found({ lifecycle: { postStart: action('wget') }, livenessProbe: action('curl') })).toEqual([
    `lifecycle.postStart.exec.command.1 ${url}`,
    `livenessProbe.exec.command.1 ${url}`,
  ]);
});

test.each([
  [['server', '--issuer', 'https://login.example.com']],
  [['sh', '-c', `echo ${url}; kubectl get pods; echo see ${url}`]],
  [['sh', '-c', `true # curl ${url}`]],
  [['curl', 'http://localhost:8080/healthz']],
  [['curl', 'http://127.0.0.1/']],
  [['curl', 'http://10.1.2.3/']],
  [['curl', 'http://172.20.0.1/']],
  [['curl', 'http://100.64.0.1/']],
  [['curl', 'http://[::1]:8080/']],
  [['curl', 'http://[fd00::7]/']],
  [['curl', 'http://[fe80::1]/']],
  [['curl', 'http://web/']],
  [['curl', 'https://web.shop.svc:443/']],
  [['curl', 'https://web.shop.svc.cluster.local/']],
  [['curl', 'https://$(HOST)/']],
  [['curl', 'https://$HOST/x']],
])('%j fetches from nowhere outside of the cluster', (command) => {
  expect(found({ command })).toEqual([]);
});

test('addresses outside of private networks are reported by their numbers too', () => {
  const addresses = [
    'http://203.0.113.7/x',
    'http://172.32.0.1/y',
    'http://100.128.0.1/z',
    'http://[2001:db8::7]:8080/x',
  ];
  expect(found({ command: ['wget', ...addresses] })).toHaveLength(addresses.length);
});
