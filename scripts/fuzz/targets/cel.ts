import { compileCel } from '../../../formats/cel/compile.ts';
import { judgeCel } from '../../../formats/cel/judge.ts';
import { parsers } from '../parser.ts';
import { must } from '../violation.ts';

const object = {
  metadata: { name: 'main', labels: { app: 'db' }, creationTimestamp: '2024-01-02T03:04:05Z' },
  spec: { replicas: 3, storage: '2Gi', many: Array.from({ length: 300 }, (_, at) => at) },
  status: { phase: 'Running', members: [{ name: 'a', ready: true }, { name: 'b' }], text: 'x'.repeat(5000) },
};

/** Expressions of CEL by which archives say when components are ready, over an object. */
export const cel = parsers(
  'cel',
  10,
  "self¦self.status¦.all(x, ¦.exists(x, ¦.map(x, ¦.filter(x, ¦has(¦size(¦matches('(x+x+)+y')¦ && ¦ || ¦ ? ¦ : ¦ == ¦ in ¦[0]¦.?¦[?'a']¦self.spec.many¦self.status.text¦.split('')¦.join(¦quantity('1Gi')¦duration('1h')¦timestamp(¦9223372036854775807¦1.5e300¦-¦!¦null¦(¦)¦[¦]¦{¦}",
  {
    expression: {
      samples: [
        "self.status.phase == 'Running' && self.status.members.all(m, has(m.ready) && m.ready)",
        "self.?status.?phase.orValue('none').matches('^R[a-z]+$') || quantity(self.spec.storage).isGreaterThan(quantity('1Gi'))",
        "self.spec.many.filter(x, x % 2 == 0).map(x, x * x).sum() > size(self.status.text) ? 'a' in self.metadata.labels : [1, 2].max() == 2",
        "timestamp(self.metadata.creationTimestamp) + duration('1h') < timestamp('2030-01-01T00:00:00Z')",
        "self.spec.many.transformMap(at, x, x > 3, uint(x) + 1u).exists(k, v, v == 7u) && b'a' + bytes('b') == b'ab'",
        "ip('10.0.0.1').isLoopback() || cidr('2001:db8::/32').containsIP('::1') || sets.intersects([1], self.spec.many)",
        "timestamp(self.metadata.creationTimestamp).getHours('Europe/Paris') == 4",
      ],
      read: (bytes) => {
        const { holds, failure, found } = judgeCel(compileCel(bytes.toString()), object);
        must(!holds || failure === undefined, 'it holds and has no value');
        must(failure !== '' && found.every((one) => one !== ''), 'nothing is said');
      },
    },
  },
);
