import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { type HarborFront, harborFront } from '../support/harbor.ts';
import { judged, type Outcome, ok, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

// What Harbor asks of whoever pushes, beside what any registry asks: see `harborFront`.

const folder = scratch('harbor');
const cwd = folder;
const registry = dockerRegistry(folder, { program: 'registry' });

beforeAll(async () => {
  await smallSolution(folder);
  await succeeds(['keygen', '-o', 'a'], { cwd });
  await succeeds(['pack', '.', '-o', 'hello.iso', '--sign', 'a.key'], { cwd });
});

/** Asks Harbor's API as its administrator. */
async function asks<T>({ host, password }: HarborFront, path: string, body: object): Promise<T | undefined> {
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(`http://${host}/api/v2.0/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}

interface Robot {
  readonly name: string;
  readonly secret: string;
}

async function robotOf(front: HarborFront, project: string, push = true): Promise<Robot> {
  return (await asks<Robot>(front, 'robots', { name: push ? 'push' : 'pull', project, push }))!;
}

/** Runs a command with the login of a robot. */
function as({ name, secret }: Robot, args: readonly string[]): Promise<Outcome> {
  return solpack([...args, '-q', '--username', name, '--password-stdin'], { cwd, input: secret });
}

describe('what Harbor asks of a push', () => {
  judged(
    'a robot of a project pushes, pulls and pushes again, and nothing is sent twice',
    ['registry', 'oras'],
    async () => {
      const front = await harborFront((await registry()).host);
      await asks(front, 'projects', { project_name: 'edge' });
      const robot = await robotOf(front, 'edge');
      expect(robot.name).toBe('robot$edge+push');
      const reference = `${front.host}/edge/hello:1.0.0`;
      const first = await as(robot, ['push', 'hello.iso', reference, '--json']);
      expect([first.code, first.stderr]).toEqual([0, '']);
      const { moved } = JSON.parse(first.stdout) as { moved: number };
      const again = await as(robot, ['push', 'hello.iso', reference, '--json']);
      expect(JSON.parse(again.stdout)).toMatchObject({ moved: 0, present: moved, signatures: 2 - 1 });
      expect(front.seen.filter((line) => /PUT .*sha256-/.test(line))).toEqual([]);
      const logins = {
        auths: { [front.host]: { auth: Buffer.from(`${robot.name}:${robot.secret}`).toString('base64') } },
      };
      writeFileSync(join(folder, 'auth.json'), JSON.stringify(logins));
      await succeeds(['pull', reference, '-o', 'back.iso', '--authfile', 'auth.json', '-q'], { cwd });
      await succeeds(['verify', 'back.iso', '--key', 'a.pub', '-q'], { cwd });
      const from = ['serve', reference, '--key', 'a.pub', '--authfile', 'auth.json', '--listen', '127.0.0.1:0'];
      await using serving = await starts(from, { cwd });
      const image = `${new URL(serving.first).host}/hello/web:1.0.0`;
      await ok('oras', ['copy', '--from-plain-http', image, '--to-oci-layout', join(folder, 'served:web')]);
      writeFileSync(
        join(folder, 'solutions.yaml'),
        'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\narchives: [hello.iso]\nactive: {hello: latest}\n',
      );
      const own = [
        'install',
        '-f',
        'solutions.yaml',
        '--key',
        'a.pub',
        '--trust-state',
        'trust',
        '--images-only',
        '--json',
      ];
      const installed = await as(robot, [...own, '--registry', `http://${front.host}/edge`]);
      expect([installed.code, installed.stderr]).toEqual([0, '']);
      expect(JSON.parse(installed.stdout).images).toHaveLength(2);
    },
  );

  judged('what it refuses is reported in one line, with what to do about it', ['registry'], async () => {
    const front = await harborFront((await registry()).host);
    await asks(front, 'projects', { project_name: 'small', storage_limit: 1000 });
    await asks(front, 'projects', { project_name: 'fixed', immutable: true });
    await asks(front, 'projects', { project_name: 'other' });
    const admin = { name: 'admin', secret: front.password };
    const refused = async (who: Robot, repository: string): Promise<string> => {
      const { code, stdout, stderr } = await as(who, ['push', 'hello.iso', `${front.host}/${repository}`]);
      expect([code, stdout]).toEqual([4, '']);
      expect(stderr).toMatch(/^solpack: [^\n]+ \[registry-(denied|error)\]\n$/);
      return stderr;
    };
    expect(await refused(admin, 'absent/hello')).toContain(
      'project absent not found) (at the target); create the project in Harbor first',
    );
    expect(await refused(admin, 'hello')).toContain(
      'invalid repository name: hello) (at the target); put a project before the name',
    );
    expect(await refused(await robotOf(front, 'small'), 'small/hello')).toContain('raise the quota of the project');
    expect(await refused(await robotOf(front, 'other'), 'fixed/hello')).toContain(
      'unauthorized to access repository: fixed/hello',
    );
    expect(await refused(await robotOf(front, 'fixed', false), 'fixed/hello')).toContain('action: push');
    expect(await refused({ name: 'robot$fixed+push', secret: 'wrong' }, 'fixed/hello')).toContain(
      'log in to the registry',
    );
    const robot = await robotOf(front, 'fixed');
    expect((await as(robot, ['push', 'hello.iso', `${front.host}/fixed/hello`])).code).toBe(0);
    // The same again is no change of the tag.
    expect((await as(robot, ['push', 'hello.iso', `${front.host}/fixed/hello`])).code).toBe(0);
    await succeeds(['pack', '.', '-o', 'other.iso'], { cwd });
    await smallSolution(join(folder, 'changed'), { seed: 'changed' });
    await succeeds(['pack', 'changed', '-o', 'other.iso'], { cwd });
    const moved = await as(robot, ['push', 'other.iso', `${front.host}/fixed/hello`]);
    expect([moved.code, moved.stderr]).toEqual([
      4,
      expect.stringMatching(/configured as immutable\.\); push under another tag/),
    ]);
  });
});
